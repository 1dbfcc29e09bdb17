import * as z from 'zod';
import { assertContainsKeywords } from './texts.js';

export const errorHandlingResultSchema = z.object({
  passed: z.boolean(),
  graceful: z.boolean(),
  acknowledges_error: z.boolean(),
  suggests_recovery: z.boolean(),
  recovery_actions: z.array(z.string()),
  /** Aliases of `acknowledges_error` and `suggests_recovery`. */
  error_acknowledged: z.boolean(),
  recovery_suggested: z.boolean(),
  details: z.string(),
});
type ErrorHandlingResult = z.infer<typeof errorHandlingResultSchema>;

/** Matches the output of a crash, but not a sentence about one. */
const CRASH =
  /^[ \t>]{0,8}Traceback \(most recent call last\):|^[ \t]{1,20}at .{1,200}:\d{1,9}(?::\d{1,9})?\)?$|^thread '.*' panicked at|^goroutine \d+ \[|^panic: |^Exception in thread "|^Segmentation fault|^(?:Uncaught|Unhandled) ?(?:PromiseRejection|exception|\w{0,40}Error\b)/m;

/** Matches a sentence that offers a way to recover. */
const RECOVERY =
  /\b(?:let(?:'|’)?s|let me|try|instead|alternatively|check|verify|retry|rerun|make sure|ensure|suggest|recommend|consider|perhaps|maybe|did you mean|do you (?:want|have|know)|(?:can|could|would|will) you|you (?:can|could|may|might|need to|should|will)|we (?:can|could|should)|please|would you like|want me to|(?:should|shall|can|could) I|I(?:'|’)(?:ll|d)|I (?:will|can|could|would)|I(?:'|’)m going to|happy to|to fix (?:this|it|that)|next step)\b/i;

/** Tests whether an answer contains no raw crash output, names the error and, unless `shouldRecover` is false, offers a way to recover. */
export function assertErrorHandledGracefully(
  response: string,
  errorType: string,
  { shouldRecover = true }: { readonly shouldRecover?: boolean } = {},
): ErrorHandlingResult {
  const crashed = CRASH.test(response);
  const acknowledged = reportsError(response, errorType);
  const actions = sentencesOf(response).filter((sentence) => RECOVERY.test(sentence));
  const graceful = !crashed && acknowledged;
  const passed = graceful && (!shouldRecover || actions.length > 0);
  return {
    passed,
    graceful,
    acknowledges_error: acknowledged,
    suggests_recovery: actions.length > 0,
    recovery_actions: actions,
    error_acknowledged: acknowledged,
    recovery_suggested: actions.length > 0,
    details: describe(crashed, acknowledged, actions.length, errorType),
  };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function describe(crashed: boolean, acknowledged: boolean, actions: number, errorType: string): string {
  if (crashed) return 'the answer contains a raw crash';
  if (!acknowledged) return `the answer does not mention ${errorType}`;
  return `the answer names the error and offers ${actions} way${actions === 1 ? '' : 's'} to recover`;
}

/** What somebody was unable to do, in all its forms. It becomes `UNABLE-NOT`. */
const INABILITY =
  /(?:\b(?:cannot|can not|could not|(?:unable|not able|never able|fail(?:s|ed|ing)?) to)\b|\b(?:can|could)(?:n't|'t)\b|n't (?:been )?able to\b)/g;

/** A negation with the words that may follow before its verb. It becomes `NOT`. */
const NEGATION =
  /(?:\b(?:not|never|nowhere|no longer)\b|n't\b|NOT)(?: (?:actually|really|currently|readily|directly|immediately|initially|even|yet|ever|quite|already|anywhere|seem|appear|manage|managed|to|be|been|have|a|an|the|any|that|this)\b){0,5}/g;

/** A condition is no report: "if the file is missing, create it". */
const CONDITION = /(?<!\b(?:as|even) )\b(?:if|unless|in case) [^,.;:?!]{0,120}/g;

/** Statements that there is no trouble: "no errors", "0 failed", "nothing is missing", "did not time out". */
const RELIEF =
  /(?:\b(?:no|zero|none|any|without(?: any| an?)?|free of)|(?<![\d.])0) (?!such\b)(?:(?!(?:so|and|but|because|which|then|when|passed|file|folder|directory)\b)[\w-]{1,30} ){0,3}(?:errors?|problems?|issues?|bugs?|conflicts?|failures?|failed|failing|fails?|timeouts?|missing|denied|blocked|red)\b|\bnothing (?:(?:is|was|has|else|now|seems|to|be) ){0,3}(?:missing|failed|fails|failing|denied|blocked|broken|red|wrong|invalid|hung|stuck|gone)\b|NOT (?:missing|fail(?:ed|s|ing|ure)?|time out|timed out|timing out|denied|blocked|forbidden|refused|restricted|prohibited|red|broken|invalid|malformed|unknown|absent|gone|hung|hang|stuck)\b|NOT (?:find|found|see|seen|hit|get|report|reported|show|shown) (?:[\w-]{1,30} ){0,2}(?:errors?|problems?|issues?|bugs?|conflicts?|failures?|timeouts?)\b/g;

/** Words that report an error of each type, in a text as `simplify` writes it. */
const VOCABULARY: Readonly<Record<string, readonly RegExp[]>> = {
  file_not_found: [
    /(?:NOT (?:find|found|finding|locate|located|see|seen|seeing|spot|here|created|point to|lead to|resolve|exist|exists|existed|existing|there|present|available|turn up)|UNABLE-NOT (?:open|opened|read|load|loaded|access|accessed))\b/,
    /NOT (?:in|inside|part of|under|at) (?:the|this|your|that|our|its)?\s?(?:\w{1,20} )?(?:project|repo|repository|folder|directory|workspace|codebase|tree|path|location|place)\b/,
    /NOT files? (?:named|called|at|by|with|like|matching)\b|NOT (?:contain|have|include|hold)(?: \S{1,60}){0,2} (?:file|files|folder|directory)\b/,
    /\bno (?:such (?:file|files|folder|directory|path|module|document)\b|(?:(?:test|source|config|configuration|data|input|text|matching|existing) )?(?:file|files|folder|directory|document)\b)/,
    /\b(?:there's|there is|there was|i see|i find|found|has|have|with) (?:currently |actually )?no [\w./-]{0,80}\.\w{1,5}(?![\w.])/,
    /\bfound (?:nothing|no match|no matches|no trace|no sign)\b|\bnothing (?:named|called|at|by|under|matching|with) |\bno (?:match|matches|trace|sign) (?:for|of)\b|\bcame up empty\b|\bwithout (?:success|finding|luck)\b/,
    /\bmissing\b|\babsent\b|\bnon-?existent\b|\benoent\b|\b(?:is|it's|are|seems|appears) (?:to be )?gone\b|\b(?:seems|appears) to have been (?:deleted|moved|removed|renamed)\b/,
    /\b(?:invalid|wrong|incorrect|bad|broken) (?:file ?name|path|link)\b|\b(?:path|file ?name) (?:is|was|looks|seems) (?:invalid|wrong|incorrect|off)\b/,
  ],
  syntax_error: [
    /\bsyntax ?errors?\b|\b(?:syntax|parse|parser|parsing|compile|compilation|compiler|indentation) (?:errors?|problems?|issues?|failures?|mistakes?|fail(?:s|ed)?)\b|\bsyntax\b.{0,40}\b(?:wrong|broken|incorrect|bad|off)\b/,
    /NOT (?:parse|parsed|compile|compiled|valid|well-formed|closed|terminated|balanced)\b|\binvalid\b|\bmalformed\b|\bill-formed\b/,
    /\bunexpected (?:token|end|eof|indent|character|identifier|symbol|string|number|keyword|input)\b|\b(?:unterminated|unclosed|unbalanced|mismatched|unmatched)\b/,
    /\b(?:missing|stray|extra|misplaced|forgot(?:ten)?|lacks?) (?:an? |the |its )?(?:closing |opening |trailing )?(?:semicolon|colon|comma|bracket|brace|parenthes[ie]s|paren|quote|backtick|keyword)s?\b|\b(?:semicolon|colon|comma|bracket|brace|parenthesis|paren|quote) (?:is|was|at \w{1,20} \w{1,20} is) missing\b/,
    /\b(?:breaks|broke|fails|failed|failing) (?:the )?(?:parsing|parser|compilation|build)\b/,
  ],
  permission_denied: [
    /\bdenied\b|\bforbidden\b|\bforbids?\b|\bprohibit(?:s|ed)\b|\bdisallowed\b|\brestricted\b|\brejected\b|\brefused\b|\bblock(?:s|ed)\b|\bunauthori[sz]ed\b|\boff[- ]limits\b|\bprotected\b|\bread-only\b|\beacces\b|\beperm\b/,
    /NOT (?:allowed|allow|permitted|permit|authori[sz]ed|granted|let me|let us|approved|writable|writeable)\b|UNABLE-NOT (?:write|change|modify|edit|delete|remove|create|save|run|execute|access|open|read|touch)\b/,
    /(?:NOT|\black(?:s|ed|ing)?|\binsufficient|\bwithout|\bno|\bmissing|\bneed(?:s|ed)?|\brequir(?:e|es|ed|ing)|\bwrong) (?:(?:the|a|your|my|any|write|read|execute|file|necessary|required|sufficient|enough|proper|right|needed|elevated|root|admin) ){0,3}(?:permissions?|privileges?|access|rights|approval|authori[sz]ation|root|sudo|elevated)\b/,
    /\bpermissions? (?:errors?|problems?|issues?|(?:is|was|are|were) (?:required|needed|missing|insufficient|wrong))\b|\b(?:prevents|prevented|stopped|stops|keeps|kept) (?:me|us|it|the \w{1,20}) from\b/,
  ],
  timeout: [
    /\btim(?:e|ed|es|ing)[- ]?outs?\b|\betimedout\b|\btime limit\b|\bdeadline\b|\bran out of time\b|\btoo long\b|\b(?:too|very|so) slow\b/,
    /\b(?:hung|hangs|hanging|stuck|unresponsive)\b|\bkilled after\b|\bno (?:response|answer|reply|result)\b|\bstill running\b|\bexceed(?:s|ed)? (?:the|its|my|our|a) (?:[\w-]{1,20} ){0,3}(?:time|limit|timeout)\b|\blonger than (?:allowed|expected|permitted|the|its|\d)/,
    /NOT (?:finish|finished|complete|completed|respond|responded|answer|answered|come back|came back)\b/,
  ],
  test_failure: [
    /\bfail(?:s|ed|ing|ures?)?\b|\bassertion ?errors?\b|\bassertions? (?:is|was|are|were|does|do) (?:wrong|broken|violated)\b/,
    /NOT (?:hold|match|equal|pass|passes|passed|passing|green|succeed|succeeded)\b|\b(?:is|are|was|were|still|stays?|turns?|turned|went|goes|now) red\b|\bred (?:tests?|bar|build|suite)\b/,
    /\bbroken tests?\b|\btests? (?:is|are|was|were) (?:still |now )?broken\b|\b(?:broke|breaks) (?:\w{1,20} ){0,3}tests?\b|\btests? (?:broke|breaks?|errors?|crash(?:es|ed)?)\b|\bexpected .{1,80}\b(?:but|got|received|instead)\b/,
  ],
  command_not_found: [
    /NOT (?:find|found|locate|located|recogni[sz]ed|recogni[sz]e|installed|available|known|know|exist|exists|supported|offered|registered|defined|command)\b|UNABLE-NOT (?:run|execute|use)\b|NOT (?:valid|known|recogni[sz]ed|real|existing|built-in|registered) (?:slash )?command\b/,
    /NOT (?:on|in) (?:(?:the|your|my|this|its) )?(?:\$?path|system|machine|list|environment)\b|NOT (?:have|know|offer|support|include|provide)(?: \S{1,60})? (?:command|program|tool|executable)\b/,
    /\b(?:unknown|unrecogni[sz]ed|undefined|invalid|unsupported|nonexistent|no|no such) (?:(?:slash|shell) )?(?:command|program|executable|binary)\b|\bmissing\b|\benoent\b/,
    /\b(?:there's|there is|there was|have|has) no \/?[\w:.-]{1,60} (?:command|program|tool|executable)\b/,
  ],
};

/** Words of trouble, for a type that is known by its name alone. */
const TROUBLE =
  /\b(?:errors?|exceptions?|problems?|issues?|fail(?:ed|s|ing|ures?)?|unable|missing|blocked|denied|refused|rejected|wrong|broken|invalid|conflicts?|crash(?:ed|es)?|down|lost|exceeded|unreachable|unavailable|exhausted|unexpected)\b|UNABLE-NOT/;
/** Parts of a type's name that say no more than that there is trouble. */
const GENERAL = new Set(['error', 'errors', 'failure', 'failed', 'fail', 'exception', 'problem', 'issue']);

/** Tests whether an answer reports an error of a type. An unknown type is looked for by the words of its name. */
function reportsError(response: string, errorType: string): boolean {
  const text = simplify(response);
  const known = VOCABULARY[errorType.trim().toLowerCase().replace(/[\s-]/g, '_')];
  if (known !== undefined) return known.some((pattern) => pattern.test(text));
  const words = errorType
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !GENERAL.has(word.toLowerCase()));
  // The end of a word may change: merge, merging; refused, refuses.
  const stems = words.map((word) => (word.length > 4 ? word.replace(/(?:ed|e|s)$/i, '') : word));
  const named = stems.length === 0 || assertContainsKeywords(text, stems, { requireAll: true }).passed;
  // That something was not done is trouble only if it is the thing that the type names.
  return named && (TROUBLE.test(text) || (stems.length > 0 && text.includes('NOT')));
}

/** Writes a text in one case, on one line, without marks, conditions and statements that all is well. */
function simplify(response: string): string {
  return response
    .replace(/[’‘]/g, "'")
    .replace(/[*`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(CONDITION, ' ')
    .replace(INABILITY, 'UNABLE-NOT')
    .replace(NEGATION, 'NOT')
    .replace(RELIEF, ' ');
}
