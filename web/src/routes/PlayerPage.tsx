import { msg, t } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { useParams } from 'react-router'
import { type Player, useGetPlayerQuery } from '@/api'
import { hasFailed, Loaded } from '@/api/Loaded'
import { PlayerNotFound } from '@/entities/player/more/PlayerNotFound'
import { NextGoals } from '@/features/goals/NextGoals'
import { ReportButton } from '@/features/moderation/ReportButton'
import { Overview } from '@/features/players/Overview'
import { ProfileHead } from '@/features/players/ProfileHead'
import { type Tab, tabAddress } from '@/features/players/queries'
import { useSession } from '@/store/hooks'
import { Badge, Heading, HStack, Skeleton, Stack } from '@/ui'
import { useAddress } from '@/ui/address'
import { DeferredUpdate } from '@/ui/DeferredUpdate'
import { usePageTitle } from '@/ui/headings'
import { TrophyIcon } from '@/ui/icons'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { LinkTabs } from '@/ui/more/LinkTabs'
import { NotLoaded } from '@/ui/more/NotLoaded'
import { Part } from '@/ui/Part'
import { paths } from './paths'

const messages = { refused: msg`Failed to fetch player`, unreachable: msg`Error fetching player` }

// Without its code the page is complete.
const DeletionNotice = lazyPart(() => import('@/entities/player/more/DeletionNotice'))

/** The tabs whose code is fetched when they are opened. */
const parts: Record<Exclude<Tab, 'overview'>, ComponentType<{ player: Player }>> = {
  records: lazyPart(() => import('@/features/players/PlayerRecords'), NotLoaded),
  points: lazyPart(() => import('@/features/players/points/Points'), NotLoaded),
  maps: lazyPart(() => import('@/features/players/PlayerMaps'), NotLoaded),
  statistics: lazyPart(() => import('@/features/players/statistics/Statistics'), NotLoaded),
}

export default function PlayerPage() {
  const { playerId = '' } = useParams()
  // Another player begins with new state.
  return <PlayerProfile key={playerId} playerId={playerId} />
}

function PlayerProfile({ playerId }: { playerId: string }) {
  const query = useGetPlayerQuery({ id: playerId })
  const { currentData } = query
  const player = currentData?.data
  const failed = hasFailed({ query })
  usePageTitle(player?.name ?? t`Player`)
  const profile = (
    <Loaded
      query={query}
      title={t`Player`}
      messages={messages}
      skeleton={<Skeleton h="40rem" rounded="l3" aria-hidden="true" />}
      missing={<PlayerNotFound />}
    >
      {(player) => <Profile player={player} />}
    </Loaded>
  )
  return (
    <>
      <ProfileHead player={failed ? undefined : player} failure={failed ? profile : undefined}>
        {player && <ReportButton kind="player" id={player._id} ownerId={player._id} small />}
      </ProfileHead>
      {!failed && <DeferredUpdate>{profile}</DeferredUpdate>}
    </>
  )
}

/** The tab that the address names. */
function Profile({ player }: { player: Player }) {
  const own = useSession()?._id === player._id
  const [{ tab }] = useAddress(tabAddress)
  const texts: Record<Tab, string> = {
    overview: t`Overview`,
    records: t`Records`,
    points: t`Points`,
    maps: t`Maps`,
    statistics: t`Statistics`,
  }
  const addressOf = (tab: Tab) => (tab === 'overview' ? paths.player(player._id) : paths.playerTab(player._id, tab))
  return (
    <Stack gap={{ base: '6', md: '8' }}>
      <LinkTabs
        label={t`Profile`}
        tabs={(Object.keys(texts) as Tab[]).map((tab) => ({ to: addressOf(tab), text: texts[tab] }))}
        current={addressOf(tab)}
        preventScrollReset
      />
      {own && (
        <LazyParts>
          <DeletionNotice />
        </LazyParts>
      )}
      {tab === 'overview' ? (
        <>
          {player.trophies.length > 0 && <Achievements />}
          <Overview player={player} />
          {own && <NextGoals />}
        </>
      ) : (
        <Part key={tab} title={texts[tab]}>
          <LazyParts fallback={<Skeleton h="40rem" rounded="l3" aria-hidden="true" />}>
            <TabPart tab={tab} player={player} />
          </LazyParts>
        </Part>
      )}
    </Stack>
  )
}

function TabPart({ tab, player }: { tab: Exclude<Tab, 'overview'>; player: Player }) {
  const Shown = parts[tab]
  return <Shown player={player} />
}

function Achievements() {
  return (
    <HStack as="section" gap="3" color="medal.gold">
      <TrophyIcon />
      <Heading as="h2" textStyle="2xl" color="fg">{t`Achievements`}</Heading>
      <Badge>{t`Coming Soon`}</Badge>
    </HStack>
  )
}
