import { useEffect } from 'react'
import { config } from '@/config'

// usePageTitle names the page in the tab and for screen readers, which announce it after a navigation.
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${config.siteName}` : config.siteName
  }, [title])
}
