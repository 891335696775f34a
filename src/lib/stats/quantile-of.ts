/**
 * A quantile by nearest rank, found by partitioning (Hoare's quickselect), some 10 ns per value. Changes the order of
 * the values. Null without values; none of them may be NaN.
 */
export function quantileOf(values: Float64Array, q: number): number | null {
  if (values.length === 0) return null;
  const rank = Math.max(1, Math.ceil(q * values.length)) - 1;
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = middleOf(values, low, high);
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const value = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = value;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank] as number;
}

/** The median of the first, middle and last value, so that sorted values are no bad case. */
function middleOf(values: Float64Array, low: number, high: number): number {
  const [a, b, c] = [values[low], values[(low + high) >>> 1], values[high]] as [number, number, number];
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
