import type { JSX } from 'react';
import { AgentPage } from '../../../features/agents/pages/agent-page.tsx';
import { RecentTraces } from '../../../features/traces/recent-traces.tsx';

/** The page of an agent, with its latest runs. */
export const Agent = (): JSX.Element => <AgentPage RecentTraces={RecentTraces} />;
