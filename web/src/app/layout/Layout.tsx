import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { lazy, useLayoutEffect, useRef, useState } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Container, Flex, Spinner, Stack, styled } from '@/ui'
import { focusPage, useKeptFocus } from '@/ui/keptFocus'
import { LazyParts } from '@/ui/lazyPart'
import { HeroElement } from '@/ui/stage'
import { Footer } from './Footer'
import { Header } from './Header'
import { Hero } from './Hero'
import { Navigation } from './Navigation'
import { ServerBanner } from './ServerBanner'

const SkipLink = styled('a', {
  base: {
    position: 'absolute',
    zIndex: 'skipNav',
    top: '-4rem',
    insetStart: '4',
    p: '3',
    rounded: 'l2',
    bg: 'bg.panel',
    shadow: 'lg',
    _focus: { top: '2' },
  },
})

const Banned = lazy(() => import('@/features/decisions/Banned'))

// A banned player reads the decision and appeals, and how moderators work, and has the same rights to the own data.
const isOpenToBanned = (path: string) =>
  [paths.decisions, paths.moderation, paths.privacy, paths.ownData].some(
    (open) => path === open || path.startsWith(`${open}/`),
  )

// Removes what index.html shows in the place of the layout.
function removeFrame(): void {
  document.getElementById('frame')?.remove()
  document.getElementById('root')?.classList.remove('framed')
}

/** What every page has around it. */
export function Layout() {
  useLingui() // the texts change with the language
  // It is there before the first rendering, so that a page's head is drawn in the same pass.
  const [hero] = useState(() => document.createElement('div'))
  useLayoutEffect(removeFrame, [])
  return (
    <Stack gap="0" minH="100dvh">
      <SkipLink href="#main">{t`Skip to content`}</SkipLink>
      <Header />
      <Hero element={hero} />
      <Navigation />
      <ServerBanner />
      <HeroElement value={hero}>
        <Main />
      </HeroElement>
      <Footer />
      <ScrollRestoration getKey={scrollKey} />
      <NavigationSpinner />
    </Stack>
  )
}

// The page. What is around it is not drawn again when another one is opened.
function Main() {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useLayoutEffect(() => {
    if (before.current !== pathname) focusPage()
    before.current = pathname
  }, [pathname])
  const ban = useSession()?.ban
  return (
    // As high as a window, so that an empty page does not pull up the footer and push it down again.
    <Container
      as="main"
      id="main"
      {...useKeptFocus()}
      flex="1"
      w="full"
      minH="100vh"
      py={{ base: '6', md: '8' }}
      outline="none"
    >
      <LazyParts>{ban && !isOpenToBanned(pathname) ? <Banned ban={ban} /> : <Outlet />}</LazyParts>
    </Container>
  )
}

// The first page of every document has the same key, so that its position would be restored on a page opened after it.
const scrollKey = ({ key, pathname }: Location) => (key === 'default' ? pathname : key)

function NavigationSpinner() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <Flex
      role="status"
      aria-label={t`Loading page`}
      position="fixed"
      bottom="4"
      insetStart="4"
      p="2"
      rounded="full"
      bg="bg.panel"
      shadow="lg"
    >
      <Spinner size="sm" color="fg.muted" />
    </Flex>
  )
}
