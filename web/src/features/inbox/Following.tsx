import { t } from '@lingui/core/macro'
import { useListFollowsQuery } from '@/api'
import { Loaded } from '@/api/Loaded'
import { FollowMap, FollowPlayer } from '@/entities/follow/Follow'
import { MapLink } from '@/entities/map/more/MapLink'
import { PlayerName } from '@/entities/player/PlayerName'
import { paths } from '@/routes/paths'
import { type Elements, Flex, Panel, Skeleton, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { Part } from '@/ui/Part'

/** The players and maps that the player follows, each with a button to unfollow it. */
export function Following() {
  const query = useListFollowsQuery()
  return (
    <Loaded query={query} skeleton={<Skeleton h="64" role="status" aria-label={t`Loading...`} />}>
      {({ players, maps }) =>
        players.length + maps.length === 0 ? (
          <EmptyMessage
            title={t`You follow no players and no maps yet.`}
            hint={t`Follow players on their profiles and maps on their leaderboards, and their new records appear in your inbox.`}
          >
            <ButtonLink to={paths.playerSearch}>{t`View Players`}</ButtonLink>
          </EmptyMessage>
        ) : (
          <Stack gap="8">
            <Section title={t`Players`} empty={t`You follow no players.`} isEmpty={players.length === 0}>
              {players.map((player) => (
                <Row key={player._id} button={<FollowPlayer player={player} small listed />}>
                  <PlayerName player={player} />
                </Row>
              ))}
            </Section>
            <Section title={t`Maps`} empty={t`You follow no maps.`} isEmpty={maps.length === 0}>
              {maps.map((map) => (
                <Row key={map._id} button={<FollowMap map={map} small listed />}>
                  <MapLink map={map} />
                </Row>
              ))}
            </Section>
          </Stack>
        )
      }
    </Loaded>
  )
}

interface SectionProps {
  title: string
  empty: string
  isEmpty: boolean
  children: Elements
}

function Section({ title, empty, isEmpty, children }: SectionProps) {
  return (
    <Part title={title}>
      {isEmpty ? (
        <Text color="fg.muted">{empty}</Text>
      ) : (
        <Panel>
          <DividedList px="4" aria-label={title}>
            {children}
          </DividedList>
        </Panel>
      )}
    </Part>
  )
}

function Row({ button, children }: { button: Elements; children: Elements }) {
  return (
    <Flex as="li" align="center" justify="space-between" gap="3" py="2">
      {children}
      {button}
    </Flex>
  )
}
