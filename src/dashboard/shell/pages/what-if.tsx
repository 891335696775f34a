import type { JSX } from 'react';
import { ModelInput } from '../../../features/prices/model-input.tsx';
import { WhatIfPage } from '../../../features/what-if/what-if-page.tsx';

/** The what-if page, with the choice of a priced model. */
export const WhatIf = (): JSX.Element => <WhatIfPage ModelInput={ModelInput} />;
