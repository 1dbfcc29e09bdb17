import { appendFileSync } from 'node:fs';

const { GITHUB_ENV, GITHUB_PATH, RUNNER_TEMP, STUB_REGISTRY } = process.env;
const prefix = `${RUNNER_TEMP}/npm`;
appendFileSync(GITHUB_ENV, `npm_config_prefix=${prefix}\nnpm_config_registry=${STUB_REGISTRY}\n`);
appendFileSync(GITHUB_PATH, `${prefix}/bin\n`);
