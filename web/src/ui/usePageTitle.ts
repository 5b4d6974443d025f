import { useEffect } from 'react'
import { config } from '@/config'

/** Sets the title of the tab, which screen readers announce after a navigation. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${config.siteName}` : config.siteName
  }, [title])
}
