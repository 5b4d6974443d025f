import { useNavigate } from 'react-router'
import { styled } from 'styled-system/jsx'
import type { ParkourMap } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { paths } from '@/routes/paths'
import { Badge, HStack, Table } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { ListTable } from '@/ui/lists'
import { PAGE_SIZE } from './searchSettings'

const VISIBLE_TAGS = 2

/**
 * The list view; maps are undefined while they load. A click on a row opens the leaderboard; for keyboards and screen
 * readers the name is a link.
 */
export function MapTable({ maps }: { maps: ParkourMap[] | undefined }) {
  return (
    <ListTable
      label="Maps"
      head={[
        <Table.ColumnHeader key="map" minW="9rem">
          Map
        </Table.ColumnHeader>,
        'Author',
        'Mode',
        'Tags',
        'Created',
      ]}
      skeleton={{ rows: PAGE_SIZE, height: '3.5rem', widths: ['75%', '75%', '5rem', '75%', '5rem'] }}
    >
      {maps?.map((map) => (
        <MapRow key={map._id} map={map} />
      ))}
    </ListTable>
  )
}

function MapRow({ map }: { map: ParkourMap }) {
  const navigate = useNavigate()
  const hidden = map.tags.slice(VISIBLE_TAGS)
  return (
    <Table.Row
      h="3.5rem"
      cursor="pointer"
      _hover={{ bg: 'bg.muted' }}
      onClick={(event) => {
        // A link in the row goes where it leads.
        if (!(event.target instanceof Element && event.target.closest('a'))) navigate(paths.leaderboard(map._id))
      }}
    >
      <Table.Cell>
        <PageLink to={paths.leaderboard(map._id)} fontWeight="semibold">
          {map.name}
        </PageLink>
      </Table.Cell>
      <Table.Cell>
        <PlayerName player={map.author} size={6} />
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap">
        <Badge colorPalette="brand">{map.gameMode}</Badge>
      </Table.Cell>
      <Table.Cell>
        <HStack gap="1">
          {map.tags.slice(0, VISIBLE_TAGS).map((tag) => (
            <Badge key={tag} variant="outline">
              {tag}
            </Badge>
          ))}
          {hidden.length > 0 && (
            <styled.span textStyle="xs" color="fg.muted" title={hidden.join(', ')}>
              +{hidden.length}
            </styled.span>
          )}
        </HStack>
      </Table.Cell>
      <Table.Cell color="fg.muted">
        <DateTime iso={map.createdAt} />
      </Table.Cell>
    </Table.Row>
  )
}
