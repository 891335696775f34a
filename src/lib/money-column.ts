/**
 * Formats the dollars of one column with the same number of decimals, so that the decimal points align: at least
 * two, enough for two digits of the smallest amount, at most `most`. A smaller amount shows as `<$0.01`, never as
 * zero.
 * @param usd the amounts of the column
 * @example moneyColumn([12.5, 0.25])(12.5) // '$12.50'
 */
export function moneyColumn(usd: readonly number[], most = 6): (usd: number) => string {
  const smallest = usd.reduce((least, one) => (one === 0 ? least : Math.min(least, Math.abs(one))), Infinity);
  const digits = Number.isFinite(smallest) ? 1 - Math.floor(Math.log10(smallest)) : 2;
  const decimals = Math.min(most, Math.max(2, digits));
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const least = 10 ** -decimals;
  return (amount) => {
    const size = Math.abs(amount);
    const sign = amount < 0 ? '-' : '';
    return size > 0 && size < least / 2
      ? `${sign}<$${format.format(least)}`
      : `${sign}$${format.format(size)}`;
  };
}

/** The same, with a plus before positive amounts. */
export const signed =
  (write: (usd: number) => string): ((usd: number) => string) =>
  (amount) =>
    amount > 0 ? `+${write(amount)}` : write(amount);

/** Converts dollars, such as a rate, to whole nano-dollars. */
export const nanoOf = (usd: number): number => Math.round(usd * 1e9);

/**
 * Formats the nano-dollars of one column in dollars: all with as many decimals as the longest needs, at least two,
 * so that the printed amounts add up.
 * @example exactColumn([3_675_000, 720_000])(3_675_000) // '$0.003675'
 */
export function exactColumn(nanos: readonly number[]): (nano: number) => string {
  let decimals = 9;
  while (decimals > 2 && nanos.every((nano) => nano % 10 ** (10 - decimals) === 0)) decimals--;
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (nano) => `${nano < 0 ? '-' : ''}$${format.format(Math.abs(nano) / 1e9)}`;
}
