-- A recording of fabcon, version 4. Times are microseconds since 1970, UTC.
-- Samples are numbered in the order they were taken; every other row says with which sample it came.

CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE run(id INTEGER PRIMARY KEY, first INT, began_us INT, ended_us INT, program TEXT, ports INT);	-- ports: the last port.id before it
CREATE TABLE field(id INTEGER PRIMARY KEY, name TEXT, kind INT, unit TEXT, words TEXT);
CREATE TABLE device(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE port(id INTEGER PRIMARY KEY, device INT, nth INT, name TEXT);		-- name NULL: the device itself
CREATE TABLE reply(id INTEGER PRIMARY KEY, device INT, probe TEXT, subject TEXT, command TEXT, rank INT, period_us INT,
		   clock_us INT);
CREATE TABLE shape(id INTEGER PRIMARY KEY, body BLOB);					-- which facts a reply held, in order
CREATE TABLE tick(id INTEGER PRIMARY KEY, at_us INT);					-- id: of its first sample
CREATE INDEX tick_at ON tick(at_us);
-- at: µs after its tick; clock: device's own clock - (time + reply.clock_us); rows: how many rows of hot, chg and fact
-- belong to it; flags: 1 cut short, 2 same text as the last; shape NULL: as before
CREATE TABLE sample(id INTEGER PRIMARY KEY, reply INT, at INT, clock INT, rows INT, flags INT, shape INT);
-- How far the counters moved that move all the time; id = sample << 10 | port.nth; NULL: not at all
CREATE TABLE hot(id INTEGER PRIMARY KEY, rx_total INT, tx_total INT, rx_bytes_3 INT, tx_bytes_3 INT, pfc_rx_3 INT,
		 pfc_tx_3 INT, cnp_sent INT, cnp_handled INT);
-- How far the other counters and gauges moved; what = field.id << 6 | index
CREATE TABLE chg(sample INT, port INT, what INT, delta INT, PRIMARY KEY(sample, port, what)) WITHOUT ROWID;
-- Values as such: configuration when it changes, counters when first said. state: 0 no longer said, 1 known, 2 unknown
-- (text: why); flags: 1 rounded, 2 unproven, counter bits << 2
CREATE TABLE fact(sample INT, port INT, what INT, state INT, n INT, text TEXT, flags INT,
		  PRIMARY KEY(sample, port, what)) WITHOUT ROWID;
CREATE INDEX fact_of ON fact(port, what, sample);
-- All that was known of a device after a sample, to begin from
CREATE TABLE key(id INTEGER PRIMARY KEY, sample INT, device INT, body BLOB);
CREATE INDEX key_of ON key(device, sample);
CREATE TABLE raw(id INTEGER PRIMARY KEY, sha BLOB UNIQUE, n INT, body BLOB);		-- zstd
CREATE TABLE kept(sample INTEGER PRIMARY KEY, raw INT, cites BLOB);
CREATE TABLE finding(id INTEGER PRIMARY KEY, check_id TEXT, place TEXT, verdict TEXT, what TEXT, missing TEXT,
		     opened_us INT, closed_us INT);
CREATE TABLE event(id INTEGER PRIMARY KEY, at_us INT, kind TEXT, place TEXT, text TEXT);
CREATE INDEX event_at ON event(at_us);
-- What was counted over the fabric in five seconds; id = their time / 5 s; NULL: nothing known
CREATE TABLE lane(id INTEGER PRIMARY KEY, pfc REAL, ecn REAL, cnp REAL, loss REAL, error REAL);
CREATE TABLE command(id INTEGER PRIMARY KEY, at_us INT, device TEXT, text TEXT, outcome TEXT);
-- Bring-up: what was wanted and tested, in order. kind: begin, resume, test, untested, end; body: JSON
CREATE TABLE bringup(id INTEGER PRIMARY KEY, at_us INT, kind TEXT, body TEXT);

-- For people: sqlite3 FILE "SELECT * FROM ports WHERE device = 'leaf1'"

CREATE VIEW said AS
	SELECT f.sample, t.at_us + s.at AS at_us, datetime((t.at_us + s.at) / 1000000, 'unixepoch') AS at, d.name AS device,
	       p.name AS port, i.name AS field, f.what & 63 AS idx, f.state, f.port AS port_id, f.what,
	       CASE WHEN f.state = 2 THEN 'unknown: ' || f.text WHEN f.state = 0 THEN NULL
		    WHEN i.kind = 0 THEN iif(f.n, 'yes', 'no') ELSE coalesce(f.text, f.n) END AS value, r.probe
	FROM fact f CROSS JOIN sample s ON s.id = f.sample
	     CROSS JOIN tick t ON t.id = (SELECT max(id) FROM tick WHERE id <= f.sample)
	     CROSS JOIN port p ON p.id = f.port CROSS JOIN device d ON d.id = p.device CROSS JOIN reply r ON r.id = s.reply
	     CROSS JOIN field i ON i.id = f.what >> 6;
-- ports: the newest of each fact that is no counter. facts_at: the same at another time, which is the one row of cursor:
--	UPDATE cursor SET at_us = unixepoch('2026-09-21 14:26:02') * 1000000; SELECT * FROM facts_at;
CREATE TABLE cursor(at_us INT);
INSERT INTO cursor VALUES(9223372036854775807);
CREATE VIEW upto AS	-- the last sample at or before cursor
	SELECT max(s.id) AS sample FROM cursor c CROSS JOIN tick t ON t.id = (SELECT id FROM tick WHERE at_us <= c.at_us
		ORDER BY at_us DESC LIMIT 1) CROSS JOIN sample s ON s.id >= t.id
		AND s.id < coalesce((SELECT min(id) FROM tick WHERE id > t.id), 9223372036854775807) AND t.at_us + s.at <= c.at_us;
CREATE VIEW facts_at AS
	SELECT device, port, field, idx, value, probe, at, at_us FROM upto u CROSS JOIN said a
	WHERE a.state <> 0 AND a.sample = (SELECT max(b.sample) FROM fact b
		WHERE b.port = a.port_id AND b.what = a.what AND b.sample <= u.sample);
CREATE VIEW ports AS
	SELECT device, port, field, idx, value, probe, at FROM said a
	WHERE a.state <> 0 AND a.sample = (SELECT max(b.sample) FROM fact b WHERE b.port = a.port_id AND b.what = a.what)
	      AND (SELECT kind FROM field WHERE id = a.what >> 6) < 4;
CREATE VIEW rate AS
	SELECT t.at_us + s.at AS at_us, d.name AS device, p.name AS port, h.rx_total, h.tx_total, h.rx_bytes_3, h.tx_bytes_3,
	       h.pfc_rx_3, h.pfc_tx_3, h.cnp_sent, h.cnp_handled
	FROM device d CROSS JOIN port p ON p.device = d.id CROSS JOIN tick t CROSS JOIN sample s
	     ON s.id >= t.id AND s.id < coalesce((SELECT min(id) FROM tick WHERE id > t.id), 9223372036854775807)
	     CROSS JOIN reply r ON r.id = s.reply AND r.device = d.id CROSS JOIN hot h ON h.id = s.id << 10 | p.nth;
CREATE VIEW fabric AS
	SELECT t.at_us, s.at, d.name AS device, p.name AS port, h.rx_total, h.tx_total, h.rx_bytes_3, h.tx_bytes_3,
	       h.pfc_rx_3, h.pfc_tx_3, h.cnp_sent, h.cnp_handled
	FROM tick t CROSS JOIN sample s
	     ON s.id >= t.id AND s.id < coalesce((SELECT min(id) FROM tick WHERE id > t.id), 9223372036854775807)
	     CROSS JOIN hot h ON h.id BETWEEN s.id << 10 AND s.id << 10 | 1023 CROSS JOIN reply r ON r.id = s.reply
	     CROSS JOIN device d ON d.id = r.device CROSS JOIN port p ON p.device = d.id AND p.nth = h.id & 1023;
CREATE VIEW changes AS
	SELECT t.at_us + s.at AS at_us, d.name AS device, p.name AS port, i.name AS field, c.what & 63 AS idx, c.delta
	FROM tick t CROSS JOIN sample s
	     ON s.id >= t.id AND s.id < coalesce((SELECT min(id) FROM tick WHERE id > t.id), 9223372036854775807)
	     CROSS JOIN chg c ON c.sample = s.id CROSS JOIN port p ON p.id = c.port CROSS JOIN device d ON d.id = p.device
	     CROSS JOIN field i ON i.id = c.what >> 6;
CREATE VIEW lanes AS
	SELECT datetime(id * 5, 'unixepoch') AS at, pfc / 5 AS pfc_received_s, ecn / 5 AS ecn_marked_s, cnp / 5 AS cnp_sent_s,
	       loss / 5 AS out_of_sequence_s, error / 5 AS errors_drops_s FROM lane;
CREATE VIEW findings AS
	SELECT datetime(opened_us / 1000000, 'unixepoch') AS opened, datetime(closed_us / 1000000, 'unixepoch') AS closed,
	       verdict, check_id, place, what, missing FROM finding;
CREATE VIEW commands AS
	SELECT datetime(at_us / 1000000, 'unixepoch') AS at, device, text AS command, outcome FROM command;
CREATE VIEW happened AS
	SELECT at_us, kind, place, text FROM event
	UNION ALL SELECT opened_us, verdict, place, check_id || ': ' || what FROM finding
	UNION ALL SELECT closed_us, 'closed', place, check_id || ': ' || what FROM finding WHERE closed_us IS NOT NULL;
CREATE VIEW events AS
	SELECT datetime(at_us / 1000000, 'unixepoch') AS at, kind, place, text FROM happened ORDER BY at_us;
