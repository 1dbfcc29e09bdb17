import { markdown } from './markdown.mjs';
import { fileNames, WORDS } from './words.mjs';

export const COMMANDS = {
  folder: ({ files }, draw) => {
    for (const word of fileNames(draw, 3)) files[`commands/${word}.md`] = markdown(draw, word);
    if (draw.chance(0.4))
      files[`commands/${fileNames(draw, 1)[0]}/${draw.pick(WORDS)}.md`] = markdown(draw, 'deep');
    if (draw.chance(0.2)) files[`commands/${fileNames(draw, 1)[0]}/SKILL.md`] = markdown(draw, 'review');
    if (draw.chance(0.2)) addLinks(files, draw, 'commands');
  },
  otherFolder: (plugin, draw) => {
    plugin.manifest.commands = draw.pick(['./slash', './slash/']);
    plugin.files['slash/run.md'] = markdown(draw, 'run');
    plugin.files['slash/sub/walk.md'] = markdown(draw, 'walk');
    if (draw.chance(0.5)) plugin.files['commands/unseen.md'] = markdown(draw, 'unseen');
  },
  file: (plugin, draw) => {
    plugin.manifest.commands = './docs/single.md';
    plugin.files['docs/single.md'] = markdown(draw, 'single');
  },
  array: (plugin, draw) => {
    plugin.manifest.commands = ['./docs/first.md', './more'];
    plugin.files['docs/first.md'] = markdown(draw, 'first');
    plugin.files['more/second.md'] = markdown(draw, 'second');
  },
  object: (plugin, draw) => {
    plugin.manifest.commands = {
      [draw.pick(WORDS)]: { source: './docs/named.md', description: 'Named', argumentHint: '[x]' },
      inline: { content: 'Say $ARGUMENTS.', description: 'Inline' },
    };
    plugin.files['docs/named.md'] = markdown(draw, 'named');
  },
};

export const SKILLS = {
  folder: ({ files }, draw) => {
    for (const word of fileNames(draw, 3)) files[`skills/${word}/SKILL.md`] = markdown(draw, word);
    if (draw.chance(0.2)) {
      files['common/linked/SKILL.md'] = markdown(draw, 'linked');
      files['skills/linked'] = { link: '../common/linked' };
    }
    if (draw.chance(0.4)) files['skills/outer/inner/SKILL.md'] = markdown(draw, 'inner');
    if (draw.chance(0.3))
      files['skills/hidden/SKILL.md'] = '---\ndescription: d\nuser-invocable: false\n---\nText\n';
    if (draw.chance(0.3))
      files['skills/manual/SKILL.md'] = '---\ndescription: d\ndisable-model-invocation: true\n---\nText\n';
  },
  declared: (plugin, draw) => {
    plugin.manifest.skills = draw.pick(['./abilities', ['./abilities', './single/one']]);
    plugin.files[`abilities/${fileNames(draw, 1)[0]}/SKILL.md`] = markdown(draw, 'swim');
    plugin.files['single/one/SKILL.md'] = markdown(draw, 'one');
    if (draw.chance(0.5)) plugin.files['skills/own/SKILL.md'] = markdown(draw, 'own');
  },
  top: ({ files }, draw) => {
    files['SKILL.md'] = markdown(draw, 'top');
  },
  whole: ({ files }, draw) => {
    files['skills/SKILL.md'] = markdown(draw, 'whole');
  },
};

export const AGENTS = {
  folder: ({ files }, draw) => {
    for (const word of fileNames(draw, 3)) files[`agents/${word}.md`] = markdown(draw, word);
    if (draw.chance(0.4)) files[`agents/team/${draw.pick(WORDS)}.md`] = markdown(draw, 'team');
    if (draw.chance(0.2)) addLinks(files, draw, 'agents');
    if (draw.chance(0.3)) files['agents/README.md'] = '# Agents\n\nNot really one.\n';
  },
  declared: (plugin, draw) => {
    plugin.manifest.agents = draw.pick(['./people/one.md', ['./people/one.md', './people/two.md']]);
    plugin.files['people/one.md'] = markdown(draw, 'one');
    plugin.files['people/two.md'] = markdown(draw, 'two');
    if (draw.chance(0.5)) plugin.files['agents/unseen.md'] = markdown(draw, 'unseen');
  },
};

/** A linked file and a linked folder, which Claude Code leaves out. */
function addLinks(files, draw, folder) {
  files['common/file.md'] = markdown(draw, 'file');
  files['common/folder/inner.md'] = markdown(draw, 'inner');
  files[`${folder}/linked-file.md`] = { link: '../common/file.md' };
  files[`${folder}/linked-folder`] = { link: '../common/folder' };
}
