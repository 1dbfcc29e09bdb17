import { type AgentScript, type Arrangement, changingSteps } from '../../src/authoring.js';

/** The same agent, but it never emits this event. */
export const withoutEmitting = (topic: string) =>
  changingSteps((step) => (step.do === 'emit' && step.topic === topic ? [] : [step]));

/** The same agent, but it emits this event with another payload. */
export const emittingInstead = (topic: string, payload: string) =>
  changingSteps((step) => [step.do === 'emit' && step.topic === topic ? { ...step, payload } : step]);

/** The same agent, but it emits this event under another topic. */
export const emittingUnder = (topic: string, other: string) =>
  changingSteps((step) => [step.do === 'emit' && step.topic === topic ? { ...step, topic: other } : step]);

/** The same agent, but under this hat (by name) it emits one more event. */
export const alsoEmitting =
  (hat: string, topic: string) =>
  (script: AgentScript): AgentScript => ({
    ...script,
    rules: script.rules.map((rule) =>
      rule.when.hat === hat
        ? {
            ...rule,
            respond: {
              ...rule.respond,
              steps: [...rule.respond.steps, { do: 'emit', topic, by: 'command' }],
            },
          }
        : rule,
    ),
  });

/** The same agent, but it leaves this file alone. */
export const withoutWriting = (path: string) =>
  changingSteps((step) => (step.do === 'write' && step.path === path ? [] : [step]));

/** The same arrangement, but keys of one hat (ralph's own) are others. */
export const changingHat =
  (id: string, change: Readonly<Record<string, unknown>>) =>
  (arrangement: Arrangement): Arrangement => {
    const hats = Object(arrangement.config.hats);
    return {
      ...arrangement,
      config: { ...arrangement.config, hats: { ...hats, [id]: { ...hats[id], ...change } } },
    };
  };

/** The same arrangement, but keys of the loop (ralph's own) are others. */
export const changingLoop =
  (change: Readonly<Record<string, unknown>>) =>
  (arrangement: Arrangement): Arrangement => ({
    ...arrangement,
    config: {
      ...arrangement.config,
      event_loop: { ...Object(arrangement.config.event_loop), ...change },
    },
  });

/** The same arrangement, but the backend of the loop (ralph's own keys) is another. */
export const changingCli =
  (change: Readonly<Record<string, unknown>>) =>
  (arrangement: Arrangement): Arrangement => ({
    ...arrangement,
    config: { ...arrangement.config, cli: { ...Object(arrangement.config.cli), ...change } },
  });
