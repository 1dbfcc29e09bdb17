import type { ConversationRecord } from '../domain/conversation.js';
import type { Case } from './clues.js';
import type { DiagnosisRule } from './rule.js';

/** A rule that looks at the conversation itself; other runs are none of its business. */
export function conversationRule(
  rule: Omit<DiagnosisRule, 'apply'> & {
    readonly apply: (conversation: ConversationRecord, failure: Case) => ReturnType<DiagnosisRule['apply']>;
  },
): DiagnosisRule {
  return {
    ...rule,
    apply: (failure) => {
      const conversation = failure.evidence?.conversation;
      return conversation === undefined ? null : rule.apply(conversation, failure);
    },
  };
}
