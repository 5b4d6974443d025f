import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type Player, useGetPlayerStatisticsQuery, useListRankingsQuery } from '@/api'
import { FollowPlayer } from '@/entities/follow/Follow'
import { Avatar } from '@/entities/player/Avatar'
import { RoleBadges } from '@/entities/player/more/RoleBadges'
import { skyOf } from '@/entities/player/more/skyOf'
import { formatPoints } from '@/entities/points/format'
import { MEDALS, MedalIcon } from '@/entities/record/Medal'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Box, type Elements, Flex, HStack, Name, Skeleton, Stack, styled, Text } from '@/ui'
import { Fact, Facts } from '@/ui/Facts'
import { DateTime, formatNumber, notAvailable } from '@/ui/format'
import { PageHeading } from '@/ui/headings'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { BackLink, ButtonLink } from '@/ui/links'
import { CardInSky, Stage } from '@/ui/stage'
import { EditAvatar } from './EditAvatar'
import { EditRoles } from './EditRoles'
import { rankingAround } from './queries'

// Its place is in the head without its code.
const PointsCurve = lazyPart(() => import('./PointsCurve'))

interface Props {
  /** Undefined while it loads, and where there is none; the head has its height from the beginning. */
  player: Player | undefined
  /** Says why there is none. */
  failure?: Elements | undefined
  /** Further buttons. */
  children?: Elements
}

/** The head of a profile below a sky of the skin's colour: the ball, rank and points, medals, and the points of 30 days. */
export function ProfileHead({ player, failure, children }: Props) {
  return (
    <Stage
      of="player"
      back={<BackLink to={paths.playerSearch} onPicture>{t`Back to Players`}</BackLink>}
      sky={skyOf(player?.skinColor ?? null)}
      inSky={
        player ? (
          <InSky player={player} />
        ) : failure ? (
          <CardInSky>{failure}</CardInSky>
        ) : (
          <Text role="status" mt="4">{t`Loading player information...`}</Text>
        )
      }
    >
      {player && <OnGround player={player}>{children}</OnGround>}
    </Stage>
  )
}

function InSky({ player }: { player: Player }) {
  return (
    <Flex align="flex-end" wrap="wrap" columnGap={{ base: '4', md: '6' }} rowGap="3" w="full" mt="auto" mb="9">
      <Avatar player={player} size={24} />
      <Stack gap="2" flex="1" minW="10rem">
        <PageHeading length={player.name.length + 8}>
          <Name>{player.name}</Name>
        </PageHeading>
        <RoleBadges roles={player.roles} on="profile" />
      </Stack>
      <Standing playerId={player._id} />
    </Flex>
  )
}

/** The rank and the points. They have their places before they are known. */
function Standing({ playerId }: { playerId: string }) {
  const { currentData, error } = useListRankingsQuery(rankingAround(playerId))
  const row = currentData?.data.find(({ player }) => player._id === playerId)
  const known = currentData !== undefined || error !== undefined
  const number = (text: string) => (known ? text : <Skeleton h="9" w="20" />)
  return (
    <Facts fontFamily="heading" w={{ base: 'full', sm: 'auto' }}>
      <Figure label={t`Rank`}>{number(row ? formatNumber(row.rank) : t`Not ranked yet`)}</Figure>
      <Figure label={t`Points`}>{number(row ? formatPoints(row.points) : notAvailable())}</Figure>
    </Facts>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <styled.div>
      <styled.dt textStyle="xs">{label}</styled.dt>
      <styled.dd fontWeight="bold" fontSize="3xl" lineHeight="1.2" minH="9" fontVariantNumeric="tabular-nums">
        {children}
      </styled.dd>
    </styled.div>
  )
}

function OnGround({ player, children }: { player: Player; children: Elements }) {
  const user = useSession()
  const own = user?._id === player._id
  return (
    <Stack gap="3">
      <Flex wrap="wrap" align="center" justify="space-between" columnGap="8" rowGap="3">
        <Shelf playerId={player._id} />
        <Box h="16" w="60" maxW="full">
          <LazyParts>
            <PointsCurve playerId={player._id} />
          </LazyParts>
        </Box>
      </Flex>
      <Flex wrap="wrap" align="flex-end" justify="space-between" columnGap="8" rowGap="3">
        <Facts columnGap="6">
          <Fact strong label={t`Level`}>
            {player.level || notAvailable()}
          </Fact>
          <Fact strong label={t`Maps`}>
            {formatNumber(player.mapCount)}
          </Fact>
          <Fact strong label={t`Records`}>
            {formatNumber(player.recordCount)}
          </Fact>
          <Fact strong label={t`Member Since`}>
            <DateTime iso={player.createdAt} />
          </Fact>
          <Fact strong label={t`Last Updated`}>
            <DateTime iso={player.updatedAt} />
          </Fact>
        </Facts>
        <HStack gap="2" flexWrap="wrap" minH="8">
          {own && <EditAvatar />}
          {user && !own && (
            <>
              <FollowPlayer player={player} small />
              <ButtonLink to={paths.compare(user._id, player._id)} size="xs" variant="outline">
                <Trans>Compare with me</Trans>
              </ButtonLink>
            </>
          )}
          <EditRoles player={player} />
          {children}
        </HStack>
      </Flex>
      {!player.registered && (
        <Text color="fg.muted">
          <Trans>
            This profile has not been claimed yet. It belongs to the author of a map, and becomes theirs with their
            first login.
          </Trans>
        </Text>
      )}
    </Stack>
  )
}

/** How many medals of each kind the player has. */
function Shelf({ playerId }: { playerId: string }) {
  const { currentData } = useGetPlayerStatisticsQuery({ id: playerId })
  const modes = currentData?.data.modes
  return (
    <HStack as="ul" gap={{ base: '3', md: '8' }} flexWrap="wrap" aria-label={t`Medals`}>
      {MEDALS.map((medal) => (
        <HStack as="li" key={medal} gap="1" minH="10" whiteSpace="nowrap">
          <MedalIcon medal={medal} size={9} />
          <styled.span fontFamily="heading" fontWeight="bold" fontSize="2xl" fontVariantNumeric="tabular-nums" minW="4">
            {modes && formatNumber(modes.reduce((sum, { medals }) => sum + medals[medal], 0))}
          </styled.span>
        </HStack>
      ))}
    </HStack>
  )
}
