/** The script of the page: filter, copy, and opening the target of a link. The page is readable without it. */
export const SCRIPT = String.raw`
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const filter = byId('filter');
  const words = byId('words');
  const items = all('#list > li');
  const choices = all('input[name=outcome]');
  const texts = new Map();

  /** Everything that can be read in a test, also what is folded away. */
  function textOf(item) {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  }

  function applyFilter() {
    const outcomes = choices.filter((choice) => choice.checked).map((choice) => choice.value);
    const tier = byId('tier').value;
    const backend = byId('backend').value;
    const wanted = words.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    let shown = 0;
    for (const item of items) {
      const { dataset } = item;
      const fits =
        (outcomes.length === 0 || outcomes.includes(dataset.outcome)) &&
        (tier === '' || dataset.tier === tier) &&
        (backend === '' || dataset.backend === backend) &&
        wanted.every((word) => textOf(item).includes(word));
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    byId('found').textContent = shown + ' of ' + items.length + (items.length === 1 ? ' test' : ' tests');
    byId('none').hidden = shown > 0;
  }

  function resetFilter() {
    filter.reset();
    applyFilter();
  }

  function openAll(open) {
    for (const item of items) if (!item.hidden) item.firstElementChild.open = open;
  }

  /** An address inside of folds or behind the filter must be seen when somebody follows it. */
  function showTarget() {
    const target = byId(location.hash.slice(1));
    if (target === null) return;
    const item = target.closest('#list > li');
    if (item !== null && item.hidden) resetFilter();
    for (let fold = target.closest('details'); fold !== null; fold = fold.parentElement.closest('details')) {
      fold.open = true;
    }
    const summary = target.matches('details') ? target.firstElementChild : target;
    summary.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'start' });
  }

  async function copyCommand(button) {
    const code = button.previousElementSibling;
    let said = 'Copied';
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Some browsers keep the clipboard from pages that were opened from disk: then it is one key away.
      getSelection().selectAllChildren(code);
      said = 'Selected';
    }
    button.textContent = said;
    byId('status').textContent = said;
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  }

  filter.hidden = false;
  filter.addEventListener('input', applyFilter);
  filter.addEventListener('submit', (event) => event.preventDefault());
  // The fields are empty only after this event.
  filter.addEventListener('reset', () => setTimeout(applyFilter));
  byId('open-all').addEventListener('click', () => openAll(true));
  byId('close-all').addEventListener('click', () => openAll(false));

  for (const tile of all('[data-show]')) {
    tile.addEventListener('click', () => {
      filter.reset();
      for (const choice of choices) choice.checked = choice.value === tile.dataset.show;
      applyFilter();
    });
  }

  for (const button of all('.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => copyCommand(button));
  }

  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches('input:not([type=checkbox]), select, textarea');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    words.focus();
    words.scrollIntoView({ block: 'center' });
  });

  addEventListener('hashchange', showTarget);
  applyFilter();
  if (location.hash !== '') showTarget();
})();
`;
