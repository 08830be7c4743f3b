-- Creates the scratch table whose rows stand for a workflow's local effects.
create table idem_drill_effects (
    effect text not null,
    event  text not null
);
