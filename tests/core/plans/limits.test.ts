import { expect, test } from 'bun:test';
import { limitsOf, PLANS } from '../../../src/core/plans/index.ts';

test('the plans have their published limits', () => {
  expect(PLANS).toEqual({
    free: {
      retentionDays: 7,
      monthlyEvents: 100_000,
      monthlyBytes: 1e9,
      projects: 10,
      alerts: 1_000,
      prompts: 500,
      promptBytes: 50e6,
      datasets: 100,
      datasetItems: 50_000,
      datasetBytes: 100e6,
      auditCsv: false,
    },
    pro: {
      retentionDays: 30,
      monthlyEvents: 5_000_000,
      monthlyBytes: 50e9,
      projects: 100,
      alerts: 2_000,
      prompts: 2_000,
      promptBytes: 500e6,
      datasets: 500,
      datasetItems: 500_000,
      datasetBytes: 1e9,
      auditCsv: false,
    },
    scale: {
      retentionDays: 365,
      monthlyEvents: 100_000_000,
      monthlyBytes: 1e12,
      projects: 1_000,
      alerts: 5_000,
      prompts: 10_000,
      promptBytes: 2e9,
      datasets: 2_000,
      datasetItems: 2_000_000,
      datasetBytes: 5e9,
      auditCsv: true,
    },
  });
});

test("an operator's override replaces the plan's limit, also if it is zero", () => {
  expect(limitsOf({ plan: 'pro', monthlyEvents: null, monthlyBytes: null, retentionDays: null })).toEqual({
    retentionDays: 30,
    monthlyEvents: 5_000_000,
    monthlyBytes: 50e9,
  });
  expect(limitsOf({ plan: 'pro', monthlyEvents: 0, monthlyBytes: 0, retentionDays: 90 })).toEqual({
    retentionDays: 90,
    monthlyEvents: 0,
    monthlyBytes: 0,
  });
});
