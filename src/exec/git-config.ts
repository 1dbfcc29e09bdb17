/**
 * Settings that the user's git configuration must not decide. Automatic maintenance is off: git does it in a background
 * process, which would count as left behind by the target.
 */
export const OWN_GIT_CONFIG = `[user]
	name = ralph-e2e
	email = ralph-e2e@example.invalid
[commit]
	gpgSign = false
[tag]
	gpgSign = false
[core]
	hooksPath = .git/hooks
	excludesFile = /dev/null
	attributesFile = /dev/null
	autocrlf = false
	fsmonitor = false
[gc]
	auto = 0
[maintenance]
	auto = false
`;
