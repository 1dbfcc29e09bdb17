import type { Redo, Step } from '../../domain/agent-script.js';
import type { NeutralTool } from '../../domain/tool-recipe.js';
import type { PromptView } from './prompt-view.js';
import { fillTemplate, fillTemplates, type TemplateValues } from './template.js';
import { completionStep } from './workflow.js';

/** What one step of a script comes to for a prompt, with its templates filled. */
export type PlayedStep =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'pause'; readonly milliseconds: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'tool'; readonly tool: StepTool };

/** A tool that a step asks for. */
export type StepTool =
  | NeutralTool
  | { readonly kind: 'append'; readonly path: string; readonly content: string }
  | { readonly kind: 'emit'; readonly topic: string; readonly payload: string | undefined }
  | NativeTool;

/** A call of one of the CLI's tools by its own name. */
export interface NativeTool {
  readonly kind: 'native';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the script says that it returns. */
  readonly result?: string | undefined;
  /** Set if the call comes from a recording. */
  readonly redo?: Redo | undefined;
}

/** Reads a step. The stand-ins and the library do what it says; the server asks a CLI to. */
export function readStep(step: Step, prompt: PromptView, values: TemplateValues): PlayedStep {
  const fill = (text: string) => fillTemplate(text, values);
  const use = (tool: StepTool): PlayedStep => ({ kind: 'tool', tool });
  switch (step.do) {
    case 'say':
      return { kind: 'text', text: fill(step.text) };
    case 'think':
      return { kind: 'thought', text: fill(step.text) };
    case 'write':
    case 'append':
      return use({ kind: step.do, path: fill(step.path), content: fill(step.text) });
    case 'note':
      return use({ kind: 'append', path: prompt.scratchpadPath, content: `${fill(step.text)}\n` });
    case 'edit':
      return use({ kind: 'edit', path: fill(step.path), old: fill(step.old), new: fill(step.new) });
    case 'read':
      return use({ kind: 'read', path: fill(step.path) });
    case 'run':
      return use({ kind: 'run', command: fill(step.command) });
    case 'emit': {
      const topic = fill(step.topic);
      const payload = step.payload === undefined ? undefined : fill(step.payload);
      return step.by === 'tag'
        ? { kind: 'text', text: `<event topic="${topic}">${payload ?? ''}</event>` }
        : use({ kind: 'emit', topic, payload });
    }
    case 'complete':
      return readStep(completionStep(prompt), prompt, values);
    case 'tool': {
      const { name, redo } = step;
      const input = Object.entries(step.input).map(([key, value]) => [key, fillTemplates(value, values)]);
      const result = step.result === undefined ? undefined : fill(step.result);
      return use({ kind: 'native', name, input: Object.fromEntries(input), result, redo });
    }
    case 'wait':
      return { kind: 'pause', milliseconds: step.milliseconds };
    case 'hang':
      return { kind: 'hang' };
    default:
      return step satisfies never;
  }
}
