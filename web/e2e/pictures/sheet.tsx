import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Listing, ListingStatus } from '../../src/api/Listing'
import { Providers } from '../../src/app/Providers'
import { MapCard, MapCardSkeleton } from '../../src/entities/map/more/MapGrid'
import { PlayerCard, PlayerCardSkeleton } from '../../src/entities/player/more/PlayerCard'
import { RoleBadges } from '../../src/entities/player/more/RoleBadges'
import { PlayerName } from '../../src/entities/player/PlayerName'
import { MEDALS } from '../../src/entities/record/Medal'
import { TimeWithMedal } from '../../src/entities/record/Time'
import { HistoryChart } from '../../src/features/leaderboard/history/HistoryChart'
import { MapDrawing } from '../../src/features/leaderboard/viewer/MapDrawing'
import { activateLocale } from '../../src/locales'
import { makeStore } from '../../src/store/store'
import {
  Badge,
  Button,
  Code,
  ConfirmDialog,
  DataList,
  DataTable,
  Grid,
  Heading,
  HStack,
  IconButton,
  Input,
  List,
  NativeSelect,
  Skeleton,
  Spinner,
  Stack,
  Tag,
  Text,
  Textarea,
} from '../../src/ui'
import { DateTime } from '../../src/ui/format'
import { PageHeading, SectionHeading } from '../../src/ui/headings'
import * as icons from '../../src/ui/icons'
import { BackLink, PageLink } from '../../src/ui/links'
import { StepPagination } from '../../src/ui/lists'
import { CenteredMessage, EmptyMessage, ErrorAlert, LoadingScreen } from '../../src/ui/messages'
import { CopyButton } from '../../src/ui/more/CopyButton'
import { NameSearch } from '../../src/ui/more/NameSearch'
import { NumberedPagination } from '../../src/ui/more/NumberedPagination'
import { toaster } from '../../src/ui/toaster'
import '../../src/index.css'
import '@fontsource-variable/figtree'
import '@fontsource/saira-semi-condensed/latin-700.css'
import { historyOf, mapOf, playerOf } from './fixtures'

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
          <icons.SearchIcon />
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
        <MapCard map={mapOf(1)} ids={mapOf(1)._id} />
        <MapCardSkeleton />
        <PlayerCard player={playerOf(1)} />
        <PlayerCardSkeleton />
      </Grid>
      <ErrorAlert text="Failed to fetch maps" onRetry={() => {}} />
      <EmptyMessage title="No maps found." hint="Try fewer filters." />
      <NumberedPagination page={4} pages={9} label="Pages" onPage={() => {}} />
      <StepPagination page={2} pages={3} label="Steps" onPage={() => {}} />
      <Skeleton h="6" />
      <BackLink to="/">Back to Maps</BackLink>
      <PageHeading hint="A sentence under the heading.">A page heading</PageHeading>
      <SectionHeading aside={<PageLink to="/">View All</PageLink>}>A section heading</SectionHeading>
      <HStack gap="3">
        {Object.entries(icons).map(([name, Icon]) => (
          <Icon key={name} />
        ))}
      </HStack>
      <HStack gap="3">
        <DateTime iso="2026-05-11T18:02:33.120Z" />
        <CopyButton label="Copy" text="912044" />
        <Tag.Root size="lg" variant="subtle" colorPalette="brand">
          <Tag.Label>#city</Tag.Label>
          <Tag.CloseTrigger type="button" aria-label="Remove filter #city">
            <icons.CloseIcon />
          </Tag.CloseTrigger>
        </Tag.Root>
        <NativeSelect.Root size="sm" style={{ width: '9rem' }}>
          <NativeSelect.Field aria-label="Colour mode">
            <option>Dark</option>
          </NativeSelect.Field>
          <NativeSelect.Indicator>
            <icons.ChevronDownIcon />
          </NativeSelect.Indicator>
        </NativeSelect.Root>
      </HStack>
      <NameSearch name="moss" label="Name" placeholder="Search" maxLength={64} onSearch={() => {}} />
      <DataList.Root>
        <DataList.Item>
          <DataList.ItemLabel>Level</DataList.ItemLabel>
          <DataList.ItemValue>57</DataList.ItemValue>
        </DataList.Item>
      </DataList.Root>
      <List.Root ps="5">
        <List.Item>The first rule</List.Item>
        <List.Item>The second rule</List.Item>
      </List.Root>
      <ListOf items={['cloudstep', 'mossfoot']} total={2} />
      <ListOf items={undefined} total={0} />
      <ListOf items={[]} total={0} />
      <ListOf items={[]} total={40} />
      <Grid gap="4" style={{ gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
        <HistoryChart steps={historyOf(6).steps} now={Date.parse('2026-05-20T12:00:00Z')} />
        <MapDrawing map={mapOf(2)} />
      </Grid>
      <ConfirmDialog
        trigger={<Button colorPalette="red">Delete</Button>}
        title="Delete this?"
        confirm="Delete"
        onConfirm={() => {}}
      >
        This cannot be undone.
      </ConfirmDialog>
      <CenteredMessage>
        <Text>A message in the middle of a page.</Text>
      </CenteredMessage>
      <LoadingScreen text="Loading authentication..." />
    </Stack>
  )
}

/** A list of players: loading, empty, past the end, or with rows. */
function ListOf({ items, total }: { items: string[] | undefined; total: number }) {
  const query = {
    currentData: items && { data: items, pagination: { total, limit: 1 } },
    isFetching: !items,
    refetch: () => {},
  }
  return (
    <Stack gap="2">
      <ListingStatus query={query} loading="Loading players..." total={(count) => `${count} players`} />
      <Listing
        query={query}
        items={items}
        failed={null}
        pages={{ page: 1, label: 'Pages of players', pastEnd: 'This page is past the last player.', onPage: () => {} }}
        empty={<EmptyMessage title="No players." />}
      >
        {(players) => (
          <DataTable
            label="Players"
            columns={[{ header: 'Player', width: '6rem', sortBy: 'name', cell: (player) => player }]}
            rows={players}
            idOf={(player) => player}
            skeletonRows={2}
            sorting={{ sortBy: 'name', sortDir: 'asc', onSort: () => {} }}
            actions={() => <Button size="xs">Open</Button>}
          />
        )}
      </Listing>
    </Stack>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
const router = createMemoryRouter([{ path: '*', element: <Sheet /> }])
activateLocale('en')
createRoot(root).render(
  <Providers store={makeStore()}>
    <RouterProvider router={router} />
  </Providers>,
)

if (location.hash === '#toasts') {
  toaster.success({ title: 'Record submitted successfully!' })
  toaster.warning({ title: 'Validation Error', description: 'Replay file is required\nMap image is required' })
  toaster.error({ title: 'Failed to submit record' })
}
