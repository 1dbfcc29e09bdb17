import type { Case } from '../../../domain/diagnosis/clues.js';
import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';
import type { ConversationRecord } from '../../../domain/evidence/conversation.js';

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
