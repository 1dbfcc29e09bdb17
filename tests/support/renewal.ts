/** The variables that make a test write the file that it compares with. */
const RENEWING = ['UPDATE_DOCS', 'UPDATE_GOLDEN'] as const;

/** Throws if tests would write what they compare with on a CI server: there nobody reads what changed. */
export function refuseRenewalInCi(env: NodeJS.ProcessEnv): void {
  const renewing = RENEWING.filter((name) => env[name]);
  if (!env.CI || renewing.length === 0) return;
  throw new Error(
    `Expected tests that only compare, because CI is set. Found ${renewing.join(' and ')}, which writes files. Unset one of them.`,
  );
}
