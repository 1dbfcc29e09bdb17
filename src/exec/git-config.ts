/** Variables with which git reads no settings but those of the repo. */
export const ONLY_REPO_CONFIG = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Settings of a repo that could hide a change or its author, as git has them by default. */
const SHOWING = Object.entries({
  'status.showUntrackedFiles': 'normal',
  'core.excludesFile': '/dev/null',
  'core.attributesFile': '/dev/null',
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.checkStat': 'default',
  'core.trustctime': 'true',
  'core.autocrlf': 'false',
  'core.bigFileThreshold': '512m',
  'core.fileMode': 'true',
  'core.symlinks': 'true',
  // On a Mac, names that differ only in case are one file.
  'core.ignoreCase': String(process.platform === 'darwin'),
  'diff.ignoreSubmodules': 'none',
  'format.pretty': 'medium',
  'log.showRoot': 'true',
  'log.mailmap': 'false',
  'mailmap.file': '/dev/null',
  'mailmap.blob': '',
  'blame.ignoreRevsFile': '',
  'i18n.logOutputEncoding': 'UTF-8',
  'color.ui': 'false',
  'color.diff': 'false',
  'color.status': 'false',
  'gpg.program': 'gpg',
  'gpg.x509.program': 'gpgsm',
  'gpg.ssh.program': 'ssh-keygen',
});

/** Variables with which git hides no change because of such settings, or of any outside of the repo (since git 2.32). */
export const SHOW_ALL_CHANGES: Readonly<Record<string, string>> = {
  ...ONLY_REPO_CONFIG,
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null/none',
  GIT_CONFIG_COUNT: String(SHOWING.length),
  ...Object.fromEntries(
    SHOWING.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

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
