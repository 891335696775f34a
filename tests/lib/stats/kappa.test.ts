import { expect, test } from 'bun:test';
import { cohensKappa } from '../../../src/lib/stats/kappa.ts';

const times = (count: number, a: string, b: string): [string, string][] =>
  Array.from({ length: count }, () => [a, b]);

test("Cohen's kappa is that of published examples", () => {
  // Two readers of 50 grant proposals: 20 both yes, 15 both no, 5 and 10 mixed.
  const grants = [
    ...times(20, 'y', 'y'),
    ...times(5, 'y', 'n'),
    ...times(10, 'n', 'y'),
    ...times(15, 'n', 'n'),
  ];
  expect(cohensKappa(grants)).toBeCloseTo(0.4, 12);
  // Fleiss, Cohen and Everitt (1969): three diagnoses of 200 patients.
  const diagnoses = [
    ...times(106, 'p', 'p'),
    ...times(10, 'p', 'n'),
    ...times(4, 'p', 'o'),
    ...times(22, 'n', 'p'),
    ...times(28, 'n', 'n'),
    ...times(10, 'n', 'o'),
    ...times(2, 'o', 'p'),
    ...times(12, 'o', 'n'),
    ...times(6, 'o', 'o'),
  ];
  expect(cohensKappa(diagnoses)).toBeCloseTo(0.429, 3);
  expect(cohensKappa([])).toBeNull();
  expect(cohensKappa(times(3, 'y', 'y'))).toBeNull();
});
