import { Spinner } from '@chakra-ui/react'
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { Footer } from './Footer'
import { Header } from './Header'
import { Hero } from './Hero'
import styles from './Layout.module.css'
import { Navigation } from './Navigation'
import { ServerBanner } from './ServerBanner'

// Layout is what every page has around it.
export function Layout() {
  const { pathname, key } = useLocation()
  const [menuOpen, setMenuOpen] = useState(false)
  const main = usePageFocus(pathname)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenuOpen(false), [key])

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setMenuOpen(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu wherever the focus is
    <div className={styles.page} onKeyDown={closeOnEscape}>
      <SkipLink />
      <Header menuOpen={menuOpen} onMenu={() => setMenuOpen((open) => !open)} />
      <Hero tall={pathname === '/'} />
      <Navigation menuOpen={menuOpen} />
      <ServerBanner />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Footer />
      <ScrollRestoration />
      <Loading />
    </div>
  )
}

// usePageFocus moves the focus to the page's beginning after a navigation, as a browser does for a new document.
function usePageFocus(pathname: string) {
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true })
    before.current = pathname
  }, [pathname])
  return main
}

function SkipLink() {
  return (
    <a href="#main" className={styles.skip}>
      Skip to content
    </a>
  )
}

// Loading shows that the next page is on its way.
function Loading() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div className={styles.loading} role="status" aria-label="Loading page">
      <Spinner size="sm" color="brand.fg" display="block" />
    </div>
  )
}
