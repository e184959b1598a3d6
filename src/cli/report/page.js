const query = document.getElementById('query');
const rows = [...document.querySelectorAll('#symbols li')];
const names = new Map(rows.map(row => {
  const link = row.firstElementChild;
  return [row, (link.title + '.' + link.firstElementChild.textContent).toLowerCase()];
}));
const shown = () => rows.filter(row => !row.hidden).map(row => row.firstElementChild);
query.addEventListener('input', () => {
  const words = query.value.toLowerCase().split(/\s+/);
  for (const row of rows) row.hidden = !words.every(word => names.get(row).includes(word));
});
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = shown();
  const at = links.indexOf(document.activeElement);
  const typing = document.activeElement === query;
  if (event.key === '/' && !typing) query.focus();
  else if (event.key === 'Escape' && typing) { query.value = ''; query.dispatchEvent(new Event('input')); query.blur(); }
  else if (event.key === 'Enter' && typing) links[0]?.click();
  else if (event.key === 'ArrowDown' && (typing || at >= 0)) links[at + 1]?.focus();
  else if (event.key === 'ArrowUp' && at > 0) links[at - 1].focus();
  else if (event.key === 'ArrowUp' && at === 0) query.focus();
  else return;
  event.preventDefault();
});
