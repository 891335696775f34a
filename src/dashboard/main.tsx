import './shell/styles.ts';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { AgainProvider } from '../core/auth/reauthenticate/again-provider.tsx';
import { queryClient } from './shell/api.ts';
import { NoticesProvider } from './shell/notices/notices.tsx';
import { printInLight } from './shell/print-in-light.ts';
import { router } from './shell/routes.tsx';
import { cssVariables, theme } from './shell/theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Libraries that add a style element of their own look for the nonce under this name.
Object.assign(window, { __webpack_nonce__: nonce });
const colours = localStorageColorSchemeManager({ key: 'spanledger.colours' });

printInLight();
const place = document.getElementById('root');
if (place === null) throw new Error('the page has no #root');
createRoot(place).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    colorSchemeManager={colours}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={queryClient}>
      <NoticesProvider>
        <AgainProvider>
          <RouterProvider router={router} />
        </AgainProvider>
      </NoticesProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
