import { Container, Flex } from '@chakra-ui/react'
import { Outlet, ScrollRestoration } from 'react-router'

// Layout is what every page has around it.
export function Layout() {
  return (
    <Flex direction="column" minH="100dvh">
      <Container as="main" id="main" tabIndex={-1} maxW="6xl" flex="1" py="8">
        <Outlet />
      </Container>
      <ScrollRestoration />
    </Flex>
  )
}
