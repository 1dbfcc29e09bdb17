import type { Message, ModelRequest } from './request.js';

/** How Claude Code 2.1.325 begins the text of a skill, which it sends in the user's place after its Skill tool. */
const SKILL_TEXT = 'Base directory for this skill: ';

/** Moves the text of a skill into the result of the tool that loaded it: the user did not say it. */
export function joinSkillTexts(request: ModelRequest): ModelRequest {
  const messages: Message[] = [];
  for (const message of request.messages) {
    const last = messages.at(-1);
    const isSkill = message.role === 'user' && message.text.startsWith(SKILL_TEXT) && last?.role === 'tools';
    if (isSkill) messages.splice(-1, 1, { role: 'tools', results: appendText(last.results, message.text) });
    else messages.push(message);
  }
  return { ...request, messages };
}

type Results = Extract<Message, { role: 'tools' }>['results'];

function appendText(results: Results, text: string): Results {
  return results.map((result, index) =>
    index === results.length - 1 ? { ...result, text: `${result.text}\n\n${text}` } : result,
  );
}
