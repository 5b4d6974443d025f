import { Box, Container, chakra, Text } from '@chakra-ui/react'
import { SectionItems, SubmitItems } from './items'
import { SubmitMenu } from './SubmitMenu'

const List = chakra('ul')

// Navigation is a bar under the banner on wide screens, and on narrow ones a panel under the header.
export function Navigation({ menuOpen }: { menuOpen: boolean }) {
  return (
    <Box as="nav" id="site-navigation" aria-label="Site">
      <Box hideBelow="md" bg="bg.panel" borderBottomWidth="1px">
        <Container maxW="7xl" display="flex" justifyContent="space-between">
          <List display="flex" gap="1" ms="-3">
            <SectionItems />
          </List>
          <SubmitMenu />
        </Container>
      </Box>
      {menuOpen && (
        <Box
          hideFrom="md"
          position="fixed"
          insetX="0"
          top="14"
          bottom="0"
          zIndex="docked"
          bg="bg"
          overflowY="auto"
          p="4"
        >
          <List fontSize="lg">
            <SectionItems />
          </List>
          <Text
            mt="4"
            mb="1"
            px="3"
            textStyle="xs"
            fontWeight="bold"
            textTransform="uppercase"
            color="fg.muted"
          >
            Submit
          </Text>
          <SubmitItems />
        </Box>
      )}
    </Box>
  )
}
