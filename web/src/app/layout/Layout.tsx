import { Box, Container, Flex, Link, Spinner } from '@chakra-ui/react'
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { Footer } from './Footer'
import { Header } from './Header'
import { Hero } from './Hero'
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
    <Flex direction="column" minH="100dvh" onKeyDown={closeOnEscape}>
      <SkipLink />
      <Header menuOpen={menuOpen} onMenu={() => setMenuOpen((open) => !open)} />
      <Hero tall={pathname === '/'} />
      <Navigation menuOpen={menuOpen} />
      <ServerBanner />
      {/* As high as a window, so that a page that is still empty does not pull the footer up and push it down again. */}
      <Container
        as="main"
        id="main"
        ref={main}
        tabIndex={-1}
        outline="none"
        maxW="7xl"
        flex="1"
        minH="100vh"
        py={{ base: '6', md: '8' }}
      >
        <Suspense>
          <Outlet />
        </Suspense>
      </Container>
      <Footer />
      <ScrollRestoration />
      <Loading />
    </Flex>
  )
}

// usePageFocus moves the focus to the page's beginning after a navigation, as a browser does for a new document.
function usePageFocus(pathname: string) {
  const main = useRef<HTMLDivElement>(null)
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true })
    before.current = pathname
  }, [pathname])
  return main
}

function SkipLink() {
  return (
    <Link
      href="#main"
      position="absolute"
      top="-16"
      insetStart="4"
      zIndex="skipNav"
      p="3"
      bg="bg.panel"
      rounded="l2"
      shadow="lg"
      _focus={{ top: '2' }}
    >
      Skip to content
    </Link>
  )
}

// Loading shows that the next page is on its way.
function Loading() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <Box
      position="fixed"
      bottom="4"
      insetStart="4"
      p="2"
      bg="bg.panel"
      rounded="full"
      shadow="lg"
      role="status"
      aria-label="Loading page"
    >
      <Spinner size="sm" color="brand.fg" display="block" />
    </Box>
  )
}
