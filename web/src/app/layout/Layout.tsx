import { Suspense, useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { Spinner } from '@/shared/components/Spinner'
import { Footer } from './Footer'
import { Header } from './Header'
import { Hero } from './Hero'
import styles from './Layout.module.css'
import { Navigation } from './Navigation'
import { ServerBanner } from './ServerBanner'
import { useSiteMenu } from './useSiteMenu'

// Layout is what every page has around it.
export function Layout() {
  const { pathname } = useLocation()
  const menu = useSiteMenu()
  const main = usePageFocus(pathname)

  return (
    <div className={styles.page}>
      <SkipLink />
      <Header menuOpen={menu.open} menuButton={menu.button} onMenu={menu.toggle} />
      {/* What the open menu covers takes no focus. */}
      <div inert={menu.open}>
        <Hero tall={pathname === '/'} />
      </div>
      <Navigation menuOpen={menu.open} />
      <ServerBanner />
      <main id="main" ref={main} tabIndex={-1} className={styles.main} inert={menu.open}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <div inert={menu.open}>
        <Footer />
      </div>
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
      <Spinner branded />
    </div>
  )
}
