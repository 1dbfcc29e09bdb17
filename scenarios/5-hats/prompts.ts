import {
  allOf,
  completed,
  eventEmitted,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  pendingEvents,
  promptContained,
  promptLacked,
  scenario,
  toldOnlyTo,
  toldTimes,
} from '../../src/authoring.js';
import { emitting, withoutEmitting } from '../support/agent-changes.js';
import { arranging, changingHat, configuring } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import {
  DEFAULT_GUARDRAILS,
  EVENT_WRITING,
  inObjective,
  inReminder,
  inRequest,
  ORIENTATION,
} from '../support/prompt-parts.js';
import { ignoresCompletion } from '../support/saboteurs.js';

/* What Ralph puts into the prompts of hats. */

const objective = (word: string) => `Have the house ${word} built.\nIts walls come first.`;

/** Reads every prompt of a loop with hats: what Ralph gets, what one hat gets, and what two active hats get. */
export const hatPrompts = scenario({
  ...MECHANICS,
  id: 'hat-prompts',
  description:
    'Ralph gets the topology and the way to complete; active hats get their own instructions, guide and restrictions',
  covers: ['FR15', 'FR16', 'FR17'],
  expectedIterations: 5,

  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: hats(
      {
        lead: {
          name: 'Site Lead',
          description: `Leads site ${a}`,
          triggers: ['plan.request'],
          publishes: ['wall.task', 'roof.task', 'yard.swept', 'site.closed'],
          instructions: `The site is ${nonce}.`,
          extraInstructions: [`Wear helmet ${b}.`, `Carry lamp ${c}.`],
        },
        mason: {
          description: 'Builds walls',
          triggers: ['wall.task', 'yard.swept'],
          publishes: ['wall.finished'],
          disallowedTools: ['WebSearch', `Crane${a}`],
          instructions: `Lay brick ${b}.`,
        },
        roofer: {
          description: 'Covers houses',
          triggers: ['roof.task'],
          publishes: [],
          instructions: `Lay tile ${c}.`,
        },
        inspector: {
          description: `Looks twice, ${nonce}`,
          triggers: ['yard.*', 'gate.task'],
          publishes: ['site.closed'],
          defaultPublishes: 'yard.clean',
          instructions: '',
        },
      },
      { maxIterations: 8, promise: `HOUSE_${nonce}` },
    ).coordinated(),
    prompt: objective(nonce),
  }),

  expect: ({ nonce, numbers: [a, b, c] }) => ({
    ends: completed(),
    hats: hatSequence('ralph', 'lead', 'mason', 'inspector', 'ralph'),
    objective: toldTimes(5, inObjective(objective(nonce))),
    orientation: toldTimes(5, ORIENTATION),
    guardrails: toldTimes(5, DEFAULT_GUARDRAILS),
    eventWriting: toldTimes(5, EVENT_WRITING),
    start: promptContained(inRequest(objective(nonce)), { iteration: 1 }),

    table: allOf(
      'the table has every hat, and what Ralph himself receives and publishes',
      promptContained(
        '\n| Ralph | task.start, site.closed, wall.task, roof.task, yard.swept, wall.finished | yard.*, gate.task, plan.request, wall.task, yard.swept, roof.task | ',
        { iteration: 1 },
      ),
      promptContained(`\n| Inspector | yard.*, gate.task | site.closed | Looks twice, ${nonce} |\n`, {
        iteration: 1,
      }),
      promptContained(
        `\n| Site Lead | plan.request | wall.task, roof.task, yard.swept, site.closed | Leads site ${a} |\n`,
        { iteration: 1 },
      ),
      promptContained('\n| Roofer | roof.task |  | Covers houses |\n', { iteration: 1 }),
    ),
    diagram: allOf(
      'the diagram has the ways from Ralph, between hats and back to Ralph',
      promptContained('\n    task.start((task.start)) --> Ralph\n', { iteration: 1 }),
      promptContained('\n    Ralph -->|plan.request| SiteLead[Site Lead]\n', { iteration: 1 }),
      promptContained('\n    Ralph -->|yard.swept| Mason\n', { iteration: 1 }),
      promptContained('\n    SiteLead -->|roof.task| Roofer\n', { iteration: 1 }),
      promptContained('\n    SiteLead -->|yard.swept| Mason\n', { iteration: 1 }),
      promptContained('\n    Mason -->|wall.finished| Ralph\n', { iteration: 1 }),
    ),
    constraint: promptContained(
      'only publish events from this list: `yard.*`, `gate.task`, `plan.request`, `wall.task`, `yard.swept`, `roof.task`\n',
      { iteration: 1 },
    ),
    tableOnly: toldOnlyTo('ralph', /^## HATS$/m),
    completion: toldOnlyTo('ralph', `the completion event \`HOUSE_${nonce}\` via \`ralph emit\``),
    reminder: toldOnlyTo('ralph', inReminder(objective(nonce))),

    instructions: promptContained(
      `\n### Site Lead Instructions\n\nThe site is ${nonce}.\nWear helmet ${b}.\nCarry lamp ${c}.\n\n`,
      { iteration: 2 },
    ),
    instructionsOnly: toldOnlyTo('lead', `The site is ${nonce}.`),
    guide: allOf(
      'the guide names every receiver',
      promptContained(
        `- \`yard.swept\` → Received by: Inspector (Looks twice, ${nonce}), Mason (Builds walls)\n`,
        { iteration: 2 },
      ),
      promptContained('- `roof.task` → Received by: Roofer (Covers houses)\n', { iteration: 2 }),
      promptContained('- `site.closed` → Received by: Ralph (', { iteration: 2 }),
    ),
    walls: eventEmitted('wall.task', /^four$/),
    roof: eventEmitted('roof.task', /^one$/),
    plan: eventEmitted('plan.request', /^four walls\nand a roof$/),
    request: promptContained('\nEvent: plan.request - four walls\nand a roof\n', { iteration: 2 }),
    ownWorkflow: promptLacked('## WORKFLOW', { iteration: 2 }),

    together: promptContained(
      new RegExp(
        `^### Mason Instructions\n\nLay brick ${b}\\.\n[\\s\\S]*^### Roofer Instructions\n\nLay tile ${c}\\.\n`,
        'm',
      ),
      { iteration: 3 },
    ),
    both: promptContained('\nEvent: wall.task - four\nEvent: roof.task - one\n', { iteration: 3 }),
    guideless: promptLacked(/Roofer Instructions[\s\S]*### Event Publishing Guide/, { iteration: 3 }),
    restrictions: toldOnlyTo(
      'mason',
      new RegExp(`^### TOOL RESTRICTIONS\n[\\s\\S]*^- \\*\\*WebSearch\\*\\*.*\n- \\*\\*Crane${a}\\*\\*`, 'm'),
    ),

    undeclared: pendingEvents(['gate.task', 'wall.finished'], { iteration: 4 }),
    workflow: promptContained(/^## WORKFLOW$[\s\S]*^## ACTIVE HAT$/m, { iteration: 4 }),
    noDefault: pendingEvents(['site.closed'], { iteration: 5 }),
  }),

  agent: [
    onHat('Site Lead').emits('wall.task', 'four').emits('roof.task', 'one'),
    onHat('Mason').emits('wall.finished', 'up').emits('gate.task', 'look'),
    onEvent('gate.task').emits('site.closed', 'good'),
    onEvent('site.closed').completes(),
    onObjective(/walls come first/).emits('plan.request', 'four walls\nand a roof'),
  ],

  saboteurs: {
    'prompts have only the request and the events': {
      target: 'bare-prompt',
      kills: ['orientation', 'guardrails', 'eventWriting', 'completion', 'reminder', 'workflow'],
      failure: 'PromptIneffective',
    },
    'hats get everything that Ralph gets': {
      target: 'tell-hats-everything',
      kills: ['tableOnly', 'completion', 'reminder', 'ownWorkflow'],
    },
    'the table is missing': {
      target: 'no-topology',
      kills: ['table', 'diagram', 'constraint', 'tableOnly'],
      failure: 'PromptIneffective',
    },
    'the prompt asks for another promise': {
      target: 'default-promise-in-prompt',
      kills: ['completion', 'ends', 'hats'],
      failure: 'UnexpectedTermination',
      why: 'An agent says what it is told to say: the loop would never end.',
    },
    'only the first event is in the prompt': {
      target: 'first-event-only',
      kills: ['both', 'undeclared'],
      why: 'All pending events are consumed: what is not in the prompt is lost.',
    },
    'events come back': { target: 'repeat-events', kills: ['undeclared', 'noDefault', 'hats'] },
    'the tools are not restricted': { target: 'drop-tool-restrictions', kills: ['restrictions'] },
    'the default is published anyway': { target: 'always-default-publishes', kills: ['noDefault'] },
    'events activate the wrong hat': { target: 'route-to-wrong-hat', kills: ['hats', 'instructionsOnly'] },
    'hats have other instructions': {
      target: 'drop-hat-instructions',
      kills: ['instructions', 'instructionsOnly', 'together'],
      failure: 'PromptIneffective',
    },
    'hats publish something else': {
      config: (arrangement) =>
        changingHat('roofer', { publishes: ['roof.finished'] })(
          changingHat('lead', { publishes: ['wall.task'] })(arrangement),
        ),
      kills: ['table', 'diagram', 'guide', 'guideless'],
      why: 'The table and the guides must follow the configuration.',
    },
    'the scope is enforced': {
      config: configuring('event_loop', { enforce_hat_scope: true }),
      kills: ['undeclared', 'hats'],
      why: 'By default, a hat may publish what it does not declare.',
    },
    'asks for one thing only': {
      agent: emitting('plan.request', { payload: 'one wall' }),
      kills: ['plan', 'request'],
      failure: 'EventMalformed',
    },
    'the lead asks for other things': {
      agent: (script) =>
        emitting('wall.task', { payload: 'three' })(emitting('roof.task', { payload: 'two' })(script)),
      kills: ['walls', 'roof', 'both'],
      failure: 'EventMalformed',
    },
    'Ralph delegates nothing': {
      agent: withoutEmitting('plan.request'),
      kills: ['hats', 'request', 'together'],
      failure: 'EventMissing',
    },
    'the objective is another one': {
      config: arranging({ prompt: 'Have the house built. Its walls come first.' }),
      kills: ['objective', 'start', 'reminder'],
      failure: 'PromptIneffective',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
