import type { RequirementId } from './requirements.js';

/** Declares which requirements the test around it holds. docs/coverage.md is made from these calls. */
export function covers(..._ids: readonly [RequirementId, ...RequirementId[]]): void {}
