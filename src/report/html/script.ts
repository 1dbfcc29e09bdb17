/**
 * The script of the page: filter, search, keys, copy, and opening the target of a link. The page is readable without it.
 * The address holds what is filtered, after the place in the page: `#tests?words=hat&outcome=failed`.
 */
export const SCRIPT = String.raw`
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const filter = byId('filter');
  const words = byId('words');
  const items = all('#list > li');
  const choices = all('input[name=outcome]');
  const fields = [words, byId('tier'), byId('backend')];
  const texts = new Map();

  /** Everything that can be read in a test, also what is folded away. */
  function textOf(item) {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  }

  function checkedOutcomes() {
    return choices.filter((choice) => choice.checked).map((choice) => choice.value);
  }

  function applyFilter() {
    const outcomes = checkedOutcomes();
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

  /** The place in the page and the filter, as the address has them. */
  function readAddress() {
    const [place, query] = location.hash.slice(1).split(/\?(.*)/s);
    return { place, query: query === undefined ? null : new URLSearchParams(query) };
  }

  function writeAddress(place) {
    const query = new URLSearchParams();
    for (const field of fields) if (field.value !== '') query.set(field.id, field.value);
    for (const outcome of checkedOutcomes()) query.append('outcome', outcome);
    const filtered = query.size > 0 ? '?' + query : '';
    const hash = place + filtered === '' ? '' : '#' + (place === '' ? 'tests' : place) + filtered;
    if (hash !== location.hash) history.replaceState(null, '', hash === '' ? location.pathname + location.search : hash);
  }

  function takeFilter(query) {
    filter.reset();
    for (const field of fields) field.value = query.get(field.id) ?? '';
    for (const choice of choices) choice.checked = query.getAll('outcome').includes(choice.value);
    // A value that this report does not have would show nothing.
    for (const field of fields) if (field.selectedIndex === -1) field.value = '';
    applyFilter();
  }

  /** Somebody who filters wants to see the tests, not what stands above or below them. */
  function filterChanged() {
    applyFilter();
    writeAddress('tests');
    const { top } = filter.getBoundingClientRect();
    if (top > innerHeight / 2) filter.scrollIntoView({ block: 'start' });
  }

  function openAll(open) {
    for (const item of items) if (!item.hidden) item.firstElementChild.open = open;
  }

  function openFoldsAround(target) {
    for (let fold = target.closest('details'); fold !== null; fold = fold.parentElement.closest('details')) {
      fold.open = true;
    }
  }

  /** An address inside of folds or behind the filter must be seen when somebody follows it. */
  function showTarget() {
    const { place, query } = readAddress();
    if (query !== null) takeFilter(query);
    const target = byId(place);
    if (target === null) return;
    const item = target.closest('#list > li');
    if (item !== null && item.hidden) resetFilter();
    openFoldsAround(target);
    const summary = target.matches('details') ? target.firstElementChild : target;
    summary.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'start' });
    writeAddress(place);
  }

  /** Moves to the next or previous test that the filter shows. */
  function step(by) {
    const shown = items.filter((item) => !item.hidden);
    const current = shown.indexOf(document.activeElement.closest('#list > li'));
    const below = shown.findIndex((item) => item.getBoundingClientRect().top >= 0);
    const start = current !== -1 ? current + by : by > 0 ? below : below - 1;
    const item = shown[Math.min(Math.max(start, 0), shown.length - 1)];
    if (item === undefined) return;
    const card = item.firstElementChild;
    card.firstElementChild.focus({ preventScroll: true });
    card.firstElementChild.scrollIntoView({ block: card.open ? 'start' : 'center' });
    writeAddress(card.id);
  }

  function search() {
    words.focus({ preventScroll: true });
    words.select();
    filter.scrollIntoView({ block: 'start' });
  }

  const KEYS = { '/': search, j: () => step(1), k: () => step(-1) };

  async function copyText(button) {
    const source = button.dataset.copy === undefined ? button.previousElementSibling : byId(button.dataset.copy);
    const label = button.dataset.label ?? button.textContent;
    button.dataset.label = label;
    let said = 'Copied';
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      // Some browsers keep the clipboard from pages that were opened from disk: then it is one key away.
      openFoldsAround(source);
      getSelection().selectAllChildren(source);
      said = 'Selected';
    }
    button.textContent = said;
    byId('status').textContent = said;
    setTimeout(() => { button.textContent = label; }, 2000);
  }

  filter.hidden = false;
  filter.addEventListener('input', filterChanged);
  filter.addEventListener('submit', (event) => event.preventDefault());
  // The fields are empty only after this event.
  filter.addEventListener('reset', (event) => {
    if (event.isTrusted) setTimeout(filterChanged);
  });
  byId('open-all').addEventListener('click', () => openAll(true));
  byId('close-all').addEventListener('click', () => openAll(false));

  for (const tile of all('[data-show]')) {
    tile.href = '#tests?outcome=' + tile.dataset.show;
  }

  for (const button of all('.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => copyText(button));
  }

  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches('input:not([type=checkbox]), select, textarea');
    const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
    if (act === null || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });

  addEventListener('hashchange', showTarget);
  applyFilter();
  if (location.hash !== '') showTarget();
})();
`;
