// The program of the sample project: reads items as JSON lines and prints a result for each.
const lines = (await Bun.stdin.text()).split('\n').filter((line) => line !== '');
for (const line of lines) {
  const { itemId, input } = JSON.parse(line) as { itemId: string; input: { text: string } };
  const output = process.env.CLASSIFIER !== 'broken' && input.text.includes('hate') ? 'negative' : 'positive';
  console.log(JSON.stringify({ itemId, output, latencyMs: 5, costUsd: 0.001 }));
}

export {};
