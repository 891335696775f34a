/** Prints every page in the light colours: browsers leave out dark backgrounds, and light text would stay. */
export function printInLight(): void {
  const root = document.documentElement;
  const colours = 'data-mantine-color-scheme';
  let before: string | null = null;
  addEventListener('beforeprint', () => {
    before = root.getAttribute(colours);
    root.setAttribute(colours, 'light');
  });
  addEventListener('afterprint', () => {
    if (before !== null) root.setAttribute(colours, before);
  });
}
