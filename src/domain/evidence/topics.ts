/**
 * Whether a trigger matches a topic, as in Ralph (`matches_str` in ralph-proto): a star stands for exactly one part, so
 * `audit.*` matches `audit.a` and not `audit.a.b`. A star alone matches every topic.
 */
export function matchesTopic(trigger: string, topic: string): boolean {
  if (trigger === '*') return true;
  const parts = topic.split('.');
  const wanted = trigger.split('.');
  return wanted.length === parts.length && wanted.every((part, i) => part === '*' || part === parts[i]);
}
