import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Providers } from '../../src/app/Providers'
import { MapCard, MapCardSkeleton } from '../../src/entities/map/MapCard'
import { PlayerCard, PlayerCardSkeleton } from '../../src/entities/player/PlayerCard'
import { PlayerName } from '../../src/entities/player/PlayerName'
import { RoleBadges } from '../../src/entities/player/RoleBadges'
import { MEDALS } from '../../src/entities/record/medals'
import { TimeWithMedal } from '../../src/entities/record/TimeWithMedal'
import { makeStore } from '../../src/store/store'
import {
  Badge,
  Button,
  Code,
  Grid,
  Heading,
  HStack,
  IconButton,
  Input,
  Skeleton,
  Spinner,
  Stack,
  Textarea,
} from '../../src/ui'
import { EmptyMessage } from '../../src/ui/EmptyMessage'
import { ErrorAlert } from '../../src/ui/ErrorAlert'
import { SearchIcon } from '../../src/ui/icons'
import { NumberedPagination } from '../../src/ui/NumberedPagination'
import { PageLink } from '../../src/ui/PageLink'
import { StepPagination } from '../../src/ui/StepPagination'
import '../../src/index.css'
import '../../src/ui/theme/fonts.css'
import { mapOf, playerOf } from './fixtures'

function Sheet() {
  return (
    // Panda writes no styles for this file: what the site itself does not use is set by hand.
    <Stack gap="6" style={{ padding: '1.5rem' }}>
      <Heading as="h1" textStyle="3xl">
        Components
      </Heading>
      <HStack gap="3">
        <Button>Solid</Button>
        <Button variant="subtle">Subtle</Button>
        <Button variant="outline">Outline</Button>
        <Button variant="ghost">Ghost</Button>
        <Button loading>Loading</Button>
        <Button disabled>Disabled</Button>
        <IconButton aria-label="Search">
          <SearchIcon />
        </IconButton>
      </HStack>
      <HStack gap="3">
        <Button size="xs">xs</Button>
        <Button size="sm">sm</Button>
        <Button size="md">md</Button>
        <Button size="lg">lg</Button>
        <PageLink to="/">A link</PageLink>
        <Code>code</Code>
        <Spinner size="sm" />
      </HStack>
      <HStack gap="3">
        <Badge>Gray</Badge>
        <Badge colorPalette="brand">Classic</Badge>
        <Badge colorPalette="brand" variant="solid">
          You
        </Badge>
        <Badge variant="outline">tag</Badge>
        <RoleBadges roles={['admin', 'moderator', 'validator']} on="card" />
        <RoleBadges roles={['admin']} on="profile" />
      </HStack>
      <HStack gap="3">
        {MEDALS.map((medal, i) => (
          <TimeWithMedal key={medal} ms={41267 + i * 5000} medal={medal} />
        ))}
        <PlayerName player={playerOf(0)} />
      </HStack>
      <Input placeholder="Search maps by name" aria-label="Name" />
      <Textarea placeholder="What is it like to play?" aria-label="Description" />
      <Grid gap="4" style={{ gridTemplateColumns: 'repeat(4, minmax(0, 1fr))' }}>
        <MapCard map={mapOf(1)} />
        <MapCardSkeleton />
        <PlayerCard player={playerOf(1)} />
        <PlayerCardSkeleton />
      </Grid>
      <ErrorAlert text="Failed to fetch maps" onRetry={() => {}} />
      <EmptyMessage title="No maps found." hint="Fewer filters find more." />
      <NumberedPagination page={4} pages={9} label="Pages" onPage={() => {}} />
      <StepPagination page={2} pages={3} label="Steps" onPage={() => {}} />
      <Skeleton h="6" />
    </Stack>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
const router = createMemoryRouter([{ path: '*', element: <Sheet /> }])
createRoot(root).render(
  <Providers store={makeStore()}>
    <RouterProvider router={router} />
  </Providers>,
)
