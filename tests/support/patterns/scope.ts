import { findPatterns } from './find-patterns.js';

/** Programs of their own: a stand-in that is slow ends at the time limit of its attempt. */
const STAND_INS = /^src\/(?:standin|mcp-stub|agent\/(?:stand-in|engine|script))\/|\/stand-in\//;

/** Patterns that are slower than linear, and why their texts are short or nobody else's. */
export const EXCUSED: Readonly<Record<string, string>> = {
  'src/bug/shell-checks.ts': 'reads the patterns of a scenario author',
  'src/domain/checks/asked.ts': 'reads the words and patterns of a scenario author',
  'src/exec/process/table.ts': 'reads ps, where there is no /proc',
  'src/isolation/refused-writes.ts': 'linear with a factor of 200, on the 128 KB that are kept of stderr',
};

/** Files that build patterns, and where the parts come from. */
export const BUILT: Readonly<Record<string, string>> = {
  'src/analyze/fault/deeds.ts': 'the path of a file of the workspace, escaped',
  'src/backends/claude/plugins/running-hooks.ts': 'the matcher of a hook, for the name of a tool',
  'src/backends/probe.ts': 'the name of a command',
  'src/bug/fake-agent.ts': 'a pattern of a scenario author',
  'src/bug/shell-checks.ts': 'names of our own functions',
  'src/cli/commands/again/write-bugs.ts': 'a name in the source of Ralph, from a promise of ours',
  'src/domain/checks/asked.ts': 'a path, as a literal',
  'src/domain/checks/speech.ts': 'words of a scenario author',
  'src/domain/checks/text.ts': 'a pattern of a scenario author',
  'src/domain/diagnosis/check-facts.ts': 'a pattern of a scenario author',
  'src/domain/scenario/known-issue.ts': 'a pattern of a scenario author',
  'src/domain/text/shell-line.ts': 'patterns of ours, joined',
  'src/draft/replay.ts': 'names of our own functions',
  'src/exec/redact/shape.ts': 'the families of credentials, tested below',
  'src/isolation/exchange.ts': 'a prefix of ours',
  'src/kinds/conversation/stages/tracker.ts': 'a pattern of a workflow',
  'src/kinds/conversation/strategies/texts.ts':
    'words of a scenario author, and the name of a command, as a literal',
  'src/kinds/ralph/diagnosis/still-running.ts': 'the name of a field, of ours',
  'src/kinds/ralph/evidence/transcript.ts': 'a unit of time',
  'src/run/prove/dishonest-agents.ts': 'a pattern of a scenario, for an empty text',
  'src/run/select/select.ts': 'a filter of the user, for ids',
};

/** Every pattern in the programs that read text of agents. */
export const { written, built } = findPatterns('src', (file) => STAND_INS.test(file));
