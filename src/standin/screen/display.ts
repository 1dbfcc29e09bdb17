import { describeTermination, type TerminationReason } from '../loop/termination.js';
import { formatElapsed } from '../time.js';

/** Facts in the banner at the start of a loop. */
export interface BannerFacts {
  readonly loopId: string;
  readonly resumed: boolean;
  readonly backend: string;
  readonly promptFile: string;
  readonly eventsPath: string;
  readonly scratchpadPath: string;
  readonly maxIterations: number;
}

/** Renders the banner. The `tail` command in it does not exist, not even in the real Ralph. */
export function renderBanner(facts: BannerFacts): string {
  const mode = facts.resumed ? 'resume' : 'start';
  return [
    '',
    `-- ralph loop ${facts.loopId} · ${mode} · backend=${facts.backend} · prompt=${facts.promptFile} · 0/${facts.maxIterations} --`,
    `  events:     ${facts.eventsPath}`,
    `  scratchpad: ${facts.scratchpadPath}`,
    `  tail:       ralph events --follow --loop-id ${facts.loopId}`,
    `  resume:     ${resumeCommand(facts.loopId)}`,
    '',
  ].join('\n');
}

/** Renders the line between iterations, from which programs read the iteration and the active hat. */
export function renderSeparator(
  iteration: number,
  hat: string,
  elapsedMs: number,
  maxIterations: number,
): string {
  const rule = '='.repeat(79);
  const content = ` ITERATION ${iteration} | ? ${hat} | ${formatElapsed(elapsedMs)} elapsed | ${iteration}/${maxIterations}`;
  return `\n${rule}\n${content}\n${rule}\n`;
}

/** Renders the line after an iteration; a headless run knows only the cost of earlier sessions. */
export function renderFooter(
  iteration: number,
  maxIterations: number,
  durationMs: number,
  totalMs: number,
  totalCostUsd: number,
): string {
  const cost = totalCostUsd > 0 ? ` cost=+$0.00 (cum $${totalCostUsd.toFixed(2)})` : '';
  const percent = maxIterations > 0 ? roundHalfToEven((iteration / maxIterations) * 100) : 0;
  return `[iter ${iteration}/${maxIterations} done] dur=${formatElapsed(durationMs)} total=${formatElapsed(totalMs)}${cost} budget=${percent}%\n`;
}

/** Renders the box at the end of a loop, and how to resume if that makes sense. */
export function renderTermination(
  reason: TerminationReason,
  iterations: number,
  elapsedMs: number,
  totalCostUsd: number,
  loopId: string | undefined,
): string {
  const { icon, label, resumable } = describeTermination(reason);
  const rule = `+${'-'.repeat(58)}+`;
  const box = [
    '',
    rule,
    `| ${icon} Loop terminated: ${label}`,
    rule,
    `|   Iterations:  ${iterations}`,
    `|   Elapsed:     ${(elapsedMs / 1000).toFixed(1)}s`,
    ...(totalCostUsd > 0 ? [`|   Est. cost:   $${totalCostUsd.toFixed(2)}`] : []),
    rule,
    '',
  ].join('\n');
  return loopId !== undefined && resumable ? `${box}  Resume: ${resumeCommand(loopId)}\n` : box;
}

/** Renders the prompt as `-v` shows it on stderr. */
export function renderPromptDump(prompt: string, hat: string, iteration: number): string {
  const rule = '='.repeat(80);
  return `\n${rule}\nPROMPT FOR ${hat} (iteration ${iteration})\n${'-'.repeat(80)}\n${prompt}\n${rule}\n\n`;
}

/** Rounds like Rust when it prints without decimals: 12.5 becomes 12, 37.5 becomes 38. */
function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value);
}

function resumeCommand(loopId: string): string {
  return `ralph run --continue --loop-id ${loopId}`;
}
