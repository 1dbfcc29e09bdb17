import { join } from 'node:path';
import * as z from 'zod';
import type { Turn } from '../../domain/evidence/conversation.js';
import { type StageEvidence, settlesAs } from '../../domain/scenario/workflow.js';
import type { StageTracker } from '../../kinds/conversation/stages/tracker.js';
import { ToolError } from '../errors.js';
import type { Harness } from '../harness.js';
import { expandSource, findKnownCommand, listKnownCommands } from '../plugins/parts.js';
import type { ManagedSession } from '../sessions.js';
import { WORKFLOWS } from '../start-conversation.js';
import { defineTool, pageShape, type Tool, takePage } from '../tool.js';

const sessionInput = z.object({ session_id: z.string() });

export const agentStateTools: readonly Tool[] = [
  defineTool({
    name: 'get_agent_mode',
    description: 'Returns which agent answers in a conversation, since when, and the stage of its workflow.',
    input: sessionInput,
    output: z.object({
      agent_name: z.string(),
      plugin: z.string().nullable(),
      mode_description: z.string(),
      active_since: z.string(),
      permission_mode: z.string().nullable(),
      mode_context: z.object({ current_stage: z.string().nullable(), stages_completed: z.array(z.string()) }),
    }),
    run: ({ session_id }, harness) => {
      const session = harness.sessions.get(session_id);
      const { name, plugin, description } = findAgent(session);
      return {
        agent_name: name,
        plugin,
        mode_description: description,
        active_since: session.createdAt,
        permission_mode: session.session.init?.permissionMode ?? null,
        mode_context: {
          current_stage: session.stage,
          stages_completed: (session.workflows.active?.changes ?? []).map(({ from }) => from),
        },
      };
    },
  }),

  defineTool({
    name: 'get_agent_guidance',
    description:
      'Returns the instructions of the agent (the text of its agent file, or else of the last command or skill) and its skills and commands. `limit` and `offset` apply to both lists.',
    input: sessionInput.extend(pageShape),
    output: z.object({
      agent_name: z.string(),
      guidance_text: z.string(),
      guidance_source: z.string().nullable(),
      skills_available: z.array(z.string()),
      commands_available: z.array(z.string()),
      totals: z
        .object({ skills: z.number(), commands: z.number() })
        .describe('How long the lists are without limit and offset'),
      workflow_stage: z.string().nullable(),
    }),
    run: async ({ session_id, ...page }, harness) => {
      const session = harness.sessions.get(session_id);
      const guidance = await readGuidance(harness, session);
      const ofPlugins = (name: string) => name.includes(':');
      const skills = listSkills(session).filter(ofPlugins);
      const commands = session.session.commands.map(({ name }) => name).filter(ofPlugins);
      return {
        agent_name: findAgent(session).name,
        guidance_text: guidance?.text ?? '',
        guidance_source: guidance?.source ?? null,
        skills_available: takePage(skills, page),
        commands_available: takePage(commands, page).map((name) => `/${name}`),
        totals: { skills: skills.length, commands: commands.length },
        workflow_stage: session.stage,
      };
    },
  }),

  defineTool({
    name: 'get_workflow_stage',
    description:
      'Returns the stage of the workflow, based on what was commanded, declared and observed in the project.',
    input: sessionInput,
    output: z.object({
      stage: z.string(),
      workflow: z.string(),
      stage_description: z.string(),
      allowed_transitions: z.array(z.string()),
      stage_entry_time: z.string().nullable(),
      stage_actions_completed: z.array(z.string()),
      stage_actions_remaining: z.array(z.string()),
      proofs: z.array(z.string()),
    }),
    run: ({ session_id }, harness) => {
      const session = harness.sessions.get(session_id);
      const tracker = requireTracker(session);
      const stage = tracker.workflow.stages[tracker.stage.replace(/-iteration-\d+$/, '')];
      const last = tracker.changes.at(-1);
      const open = last?.observed.length ? [] : (stage?.evidence ?? []).map(describeEvidence);
      return {
        stage: tracker.stage,
        workflow: tracker.workflow.name,
        stage_description: stage?.description ?? '',
        allowed_transitions: [...tracker.allowed],
        stage_entry_time: stageSince(session),
        stage_actions_completed: [...(last?.observed ?? [])],
        stage_actions_remaining: open,
        proofs: [...(last?.proofs ?? [])],
      };
    },
  }),

  defineTool({
    name: 'verify_agent_transition',
    description:
      'Checks that the workflow is in the expected stage, that it came from the given stage, and that it allows this transition.',
    input: sessionInput.extend({ expected_stage: z.string().min(1), from_stage: z.string().optional() }),
    output: z.object({
      valid: z.boolean(),
      actual_stage: z.string(),
      expected_stage: z.string(),
      previous_stage: z.string().nullable(),
      transition_time: z.string().nullable(),
      transition_trigger: z.string().nullable(),
      details: z.string(),
    }),
    run: ({ session_id, expected_stage, from_stage }, harness) => {
      const session = harness.sessions.get(session_id);
      const tracker = requireTracker(session);
      const change = tracker.changes.at(-1);
      const arrived = same(tracker.stage, expected_stage);
      const cameFrom = from_stage === undefined || departures(tracker).some((from) => same(from, from_stage));
      const allowed = change?.valid ?? true;
      return {
        valid: arrived && cameFrom && allowed,
        actual_stage: tracker.stage,
        expected_stage,
        previous_stage: change?.from ?? null,
        transition_time: change === undefined ? null : stageSince(session),
        transition_trigger: change?.trigger ?? null,
        details: !arrived
          ? `expected stage ${expected_stage}, found ${tracker.stage}`
          : !cameFrom
            ? `expected a transition from ${from_stage}, found one from ${change?.from ?? 'nowhere'}`
            : allowed
              ? 'as expected'
              : `the workflow does not allow ${change?.from} -> ${change?.to}`,
      };
    },
  }),
];

/** Where the last step came from. For a stage that settled by itself, also where the step before it came from. */
function departures({ workflow, changes }: StageTracker): readonly string[] {
  const [last, before] = [changes.at(-1), changes.at(-2)];
  if (last === undefined) return [];
  return before !== undefined && settlesAs(workflow, last.from, last.to)
    ? [last.from, before.from]
    : [last.from];
}

/** When the active workflow entered its stage. */
function stageSince({ workflows }: ManagedSession): string | null {
  return workflows.visits.at(-1)?.enteredAt ?? null;
}

function requireTracker(session: ManagedSession): StageTracker {
  const { active } = session.workflows;
  if (active !== null) return active;
  throw new ToolError(
    'NoWorkflowError',
    'No plugin in this conversation has a known workflow.',
    `These plugins have one: ${WORKFLOWS.map(({ name }) => name).join(', ')}.`,
  );
}

function findAgent(session: ManagedSession) {
  const { agentName: name } = session;
  const owner = session.options.plugins.find(({ status }) =>
    status.plugin.agents.some((agent) => agent.name === name),
  );
  const agent = owner?.status.plugin.agents.find((known) => known.name === name);
  return {
    name,
    plugin: owner?.name ?? null,
    description: agent?.description ?? (name === 'default' ? 'Claude Code itself' : ''),
    guidance:
      owner === undefined || agent === undefined
        ? null
        : { text: agent.body.trim(), source: join(owner.status.plugin.path, agent.file) },
  };
}

/** Lists the skills that Claude Code reports. Before the first turn, these are those that it reported at the installation. */
function listSkills({ session, options }: ManagedSession): readonly string[] {
  return session.init?.skills ?? options.plugins.flatMap(({ status }) => status.activeSkills);
}

async function readGuidance(harness: Harness, session: ManagedSession) {
  const { guidance } = findAgent(session);
  if (guidance !== null) return guidance;
  const called = session.turns.findLast((turn) => lastInstructions(turn) !== null);
  const last = called === undefined ? null : lastInstructions(called);
  if (last === null) return null;
  const known = findKnownCommand(listKnownCommands(harness, session), last.name);
  if (known?.source == null) return null;
  const { text } = await expandSource(harness, known.source, last.args, session);
  return { text: (text ?? known.source.part.body).trim(), source: known.file };
}

/** The command of a turn, or the skill that the model loaded in it later. */
function lastInstructions({ command, calls }: Turn): Turn['command'] {
  const skill = calls.findLast(({ name, isError }) => name === 'Skill' && !isError)?.input;
  if (typeof skill?.skill !== 'string') return command;
  return { name: skill.skill, args: typeof skill.args === 'string' ? skill.args : '' };
}

function describeEvidence(fact: StageEvidence): string {
  switch (fact.kind) {
    case 'tool-class':
      return `use a tool of the class ${fact.class}`;
    case 'tool-named':
      return `use the tool ${fact.suffix}`;
    case 'file-changed':
      return `change a file that matches ${fact.glob}`;
    case 'commit':
      return fact.touches === undefined ? 'make a commit' : `commit files that match ${fact.touches}`;
    case 'command-ran':
      return `run a command that matches ${fact.pattern}`;
    default:
      return fact satisfies never;
  }
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
