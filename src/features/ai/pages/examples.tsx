import { Button } from '@mantine/core';
import type { JSX } from 'react';

/** Questions that are understood, as buttons. */
export const Examples = ({
  examples,
  onAsk,
}: {
  examples: readonly string[];
  onAsk: (question: string) => void;
}): JSX.Element => (
  <span className="inline-form">
    {examples.map((question) => (
      <Button
        key={question}
        variant="default"
        size="compact-sm"
        h="auto"
        mih={26}
        py={4}
        styles={{ label: { whiteSpace: 'normal' } }}
        onClick={() => onAsk(question)}
      >
        {question}
      </Button>
    ))}
  </span>
);
