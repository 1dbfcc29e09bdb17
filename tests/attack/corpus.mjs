import { authors } from './families/authors.mjs';
import { compare } from './families/compare.mjs';
import { environment } from './families/environment.mjs';
import { errands } from './families/errands.mjs';
import { evidence } from './families/evidence.mjs';
import { foreignRuns } from './families/foreign.mjs';
import { hidden } from './families/hidden.mjs';
import { journal } from './families/journal.mjs';
import { sandbox } from './families/sandbox.mjs';
import { selection } from './families/selection.mjs';
import { standIn } from './families/stand-in.mjs';
import { targets } from './families/targets.mjs';

const families = {
  journal,
  evidence,
  authors,
  hidden,
  selection,
  compare,
  environment,
  targets,
  errands,
  sandbox,
  foreign: foreignRuns,
  agents: standIn,
};

/**
 * Every way to turn red into green, as data. An attack has the files it needs and the shell commands to run; the last
 * command is judged. It must not exit with 0, nor report the attacked test as passed, nor print a stack. A control is the
 * same without the attack, and must be green: it shows that the attacks fail for the right reason.
 */
export const corpus = Object.entries(families).flatMap(([family, attacks]) =>
  attacks.map((attack) => ({ ...attack, family, id: `${family}/${attack.id}` })),
);
