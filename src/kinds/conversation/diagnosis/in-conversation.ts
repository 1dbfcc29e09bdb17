import type { Case } from '../../../domain/diagnosis/clues.js';
import type { ConversationRecord } from '../../../domain/evidence/conversation.js';

/** Turns a search in a conversation into a search in a case. It finds nothing if the case has no conversation. */
export function inConversation<Found>(
  search: (conversation: ConversationRecord, failure: Case) => Found | null,
): (failure: Case) => Found | null {
  return (failure) => {
    const conversation = failure.evidence?.conversation;
    return conversation === undefined ? null : search(conversation, failure);
  };
}
