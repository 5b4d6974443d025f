import { t } from '@lingui/core/macro'
import { Box, Container, Flex } from '@/ui'
import { SectionItems } from './NavigationItems'
import { SubmitMenu } from './SubmitMenu'
import { useIsWide } from './useIsWide'

/** The bar under the banner on wide screens. Narrow ones have the MobileMenu in the header. */
export function Navigation() {
  if (!useIsWide()) return null
  return (
    <Box as="nav" aria-label={t`Site`} borderBottomWidth="1px" bg="bg.panel">
      <Container display="flex" justifyContent="space-between">
        <Flex as="ul" gap="1" ms="-3">
          <SectionItems />
        </Flex>
        <SubmitMenu />
      </Container>
    </Box>
  )
}
