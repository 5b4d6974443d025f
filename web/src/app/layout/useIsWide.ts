import { useSyncExternalStore } from 'react'

const wide = () => matchMedia('(width >= 48rem)')

/** Reports whether the window has room for the navigation and the search. Narrow ones have the MobileMenu. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide().matches)

function subscribe(onChange: () => void): () => void {
  const query = wide()
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
