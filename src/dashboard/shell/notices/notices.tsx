import {
  createContext,
  type JSX,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useState,
} from 'react';
import type { NoticeText } from './notice-list.tsx';

type Notify = (notice: NoticeText) => void;

const Context = createContext<Notify>(() => {});
const NoticeList = lazy(async () => ({ default: (await import('./notice-list.tsx')).NoticeList }));

/** Gives what is below it a way to say something. What shows it is fetched with the first that is said. */
export function NoticesProvider({ children }: { children: ReactNode }): JSX.Element {
  const [said, setSaid] = useState<readonly NoticeText[]>([]);
  const notify = useCallback<Notify>((notice) => setSaid((before) => [...before, notice]), []);
  return (
    <Context value={notify}>
      {children}
      {said.length > 0 && (
        <Suspense>
          <NoticeList said={said} />
        </Suspense>
      )}
    </Context>
  );
}

export const useNotify = (): Notify => useContext(Context);
