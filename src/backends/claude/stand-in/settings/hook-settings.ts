import { hookSeconds } from '../../plugins/hook-seconds.js';
import { toList, toRecord, toText } from './values.js';

/** One hook command, which runs around prompts, tools or the end of a turn. */
export interface HookCommand {
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  readonly timeoutSeconds: number;
  /** The folders of the plugin that defines it, for its environment. */
  readonly plugin?: { readonly root: string; readonly data: string };
}

/** Reads the hooks of a settings file: `{Event: [{matcher, hooks: [{type, command, timeout}]}]}`. */
export function readHookSettings(hooks: unknown): HookCommand[] {
  return Object.entries(toRecord(hooks)).flatMap(([event, groups]) =>
    toList(groups).flatMap((group) => {
      const { matcher, hooks: commands } = toRecord(group);
      return toList(commands).flatMap((entry) => {
        const { type, command, timeout } = toRecord(entry);
        const text = toText(command);
        if (type !== 'command' || text === undefined) return [];
        return [
          {
            event,
            matcher: toText(matcher) ?? '',
            command: text,
            timeoutSeconds: hookSeconds(
              { event, timeoutSeconds: typeof timeout === 'number' ? timeout : null, isOfPlugin: false },
              process.env,
            ),
          },
        ];
      });
    }),
  );
}
