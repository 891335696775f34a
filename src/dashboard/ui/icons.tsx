import type { JSX } from 'react';

/** Strokes on a grid of 24, drawn in the colour of the text. */
const PATHS = {
  overview: 'M4 20V11M10 20V4M16 20v-7M21 20H3',
  costs:
    'M12 3v18M16.5 7.5C16 6 14.3 5 12 5c-2.600 0-4.500 1.300-4.500 3.300C7.500 13 17 10.500 17 15.500c0 2.100-2 3.500-5 3.500-2.700 0-4.600-1.100-5-3',
  budgets:
    'M12 3.500a8.500 8.500 0 1 0 8.500 8.500M12 7.500a4.500 4.500 0 1 0 4.500 4.500M12 12l8-8M16.500 4v3.500H20',
  performance: 'M12 20a8 8 0 1 1 8-8M12 12l5-5',
  errors:
    'M12 8v5M12 16.500v.010M10.300 4.200 2.900 17a2 2 0 0 0 1.700 3h14.800a2 2 0 0 0 1.700-3L13.700 4.200a2 2 0 0 0-3.400 0Z',
  events: 'M8 6h13M8 12h13M8 18h13M3.500 6h.010M3.500 12h.010M3.500 18h.010',
  traces: 'M3 5h10M7 10h12M10 15h7M13 20h8',
  sessions: 'M4 5h16v11H9l-5 4V5Z',
  users:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM2.500 20c0-3.500 2.900-6 6.500-6s6.500 2.500 6.500 6M16 4.300a3.500 3.500 0 0 1 0 6.400M18 14.500c2.100.800 3.500 2.800 3.500 5.500',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  quarantine:
    'M12 3 4.500 6v5.500c0 4.600 3.200 8 7.500 9.500 4.300-1.500 7.500-4.900 7.500-9.500V6L12 3ZM9.500 9.500l5 5M14.500 9.500l-5 5',
  start: 'M5 12h14M13 6l6 6-6 6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4',
  calendar: 'M4 6h16v14H4V6ZM4 10.500h16M8 3.500V7M16 3.500V7',
  chevron: 'm7 10 5 5 5-5',
  right: 'm10 7 5 5-5 5',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  copy: 'M9 9h11v11H9V9ZM5 15H4V4h11v1',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z',
  auto: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 3.500v17M12 7l6-1.500M12 12h8.500M12 17l6 1.500',
  signout: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  filter: 'M4 6h16M7 12h10M10 18h4',
  inspect: 'M4 6h9M4 11h6M4 16h5M15.500 17a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM18 16l3 3',
  views: 'M6 3.500h12V20l-6-4-6 4V3.500Z',
  table: 'M4 5h16v14H4V5ZM4 10h16M4 14.500h16M10 10v9',
  chart: 'M4 4v16h16M8 15l4-5 3 3 5-7',
  columns: 'M4 5h16v14H4V5ZM9.300 5v14M14.700 5v14',
  download: 'M12 4v11M7.500 11l4.500 4.500 4.500-4.500M4.500 19.500h15',
  refresh:
    'M20 11a8 8 0 0 0-14-4.500L4 8.500M4 4v4.500h4.500M4 13a8 8 0 0 0 14 4.500l2-2M20 20v-4.500h-4.500',
  live: 'M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.500 16.500a6.300 6.300 0 0 1 0-9M16.500 7.500a6.300 6.300 0 0 1 0 9M4.500 19.500a10.600 10.600 0 0 1 0-15M19.500 4.500a10.600 10.600 0 0 1 0 15',
  log: 'M6 3.500h12v17H6v-17ZM9.500 8h5M9.500 12h5M9.500 16h3',
  usage: 'M12 4a8 8 0 1 0 8 8h-8V4ZM15.500 3.800a8 8 0 0 1 4.700 4.700H15.500V3.800Z',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 12h9M18 12v3.500M21 12v2.500',
} as const;
export type IconName = keyof typeof PATHS;

/** An icon for the eye only: the text beside it, or the label of its button, says the same. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }): JSX.Element => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    strokeLinecap="round"
    strokeLinejoin="round"
    className="icon"
  >
    <path d={PATHS[name]} />
  </svg>
);

/** The product's mark. */
export const Mark = ({ size = 20 }: { size?: number }): JSX.Element => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" className="icon">
    <rect width="24" height="24" rx="6" fill="#3b5bdb" />
    <path d="M6 7.500h12M6 12h8M6 16.500h5" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
  </svg>
);
