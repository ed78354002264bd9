"""The forms under which names are asked, transliterations, slugs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.arabic import fold
from library.name_forms import MAX_FORMS, Kind, match_score, name_forms, query_forms
from library.person_names import parse_person
from library.transliteration import latin_key, openiti_names, slugify_translit, split_openiti_camel

GHAZALI = "أبو حامد محمد بن محمد الغزالي الطوسي (المتوفى: 505هـ)"
IBN_TAYMIYYA = (
    "تقي الدين أبو العباس أحمد بن عبد الحليم بن عبد السلام بن عبد الله بن أبي القاسم بن محمد ابن تيمية الحراني "
    "الحنبلي الدمشقي (المتوفى: 728هـ)"
)
NAMES = st.lists(
    st.sampled_from([*GHAZALI.split(), *IBN_TAYMIYYA.split(), "al-Ghazālī", "Abū", "b.", "،"]), max_size=30
)


def asked(query: str, name: str, kind: Kind = "author") -> bool:
    """Whether a query meets a form of the name exactly."""
    return not set(query_forms(query)).isdisjoint(name_forms([name], kind))


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("الغزالي", GHAZALI),
        ("غزالي", GHAZALI),
        ("الإمام الغزالي", GHAZALI),
        ("أبو حامد الغزالي", GHAZALI),
        ("أبي حامد الغزالي", GHAZALI),
        ("محمد الغزالي", GHAZALI),
        ("أبو حامد محمد بن محمد الغزالي الطوسي", GHAZALI),
        ("ابن تيمية", IBN_TAYMIYYA),
        ("ابن تيميه الحراني", IBN_TAYMIYYA),
        ("الجاحظ", "عمرو بن بحر بن محبوب الكناني بالولاء، الليثي، أبو عثمان، الشهير بالجاحظ (المتوفى: 255هـ)"),
        ("سيبويه", "عمرو بن عثمان بن قنبر الحارثي بالولاء، أبو بشر، الملقب سيبويه (المتوفى: 180هـ)"),
        ("النووي", "أبو زكريا محيي الدين يحيى بن شرف النووي (المتوفى: 676هـ)"),
        ("يحيى بن شرف النووي", "النووي، أبو زكريا يحيى بن شرف"),
        ("ابن حنبل", "أحمد بن محمد بن حنبل"),
        ("أحمد ابن حنبل", "أحمد بن محمد بن حنبل"),
        ("مالك", "الإمام مالك"),
        ("ابن قيم الجوزية", "محمد بن أبي بكر بن أيوب شمس الدين ابن قيم الجوزية ت 751 هـ"),
        ("al-Ghazzālī", "Abū Ḥāmid al-Ghazālī (d. 505/1111)"),
        ("Ghazaly", "Abū Ḥāmid al-Ghazālī"),
        ("Abi Hamid Ghazali", "Abū Ḥāmid al-Ghazālī"),
        ("Ghazali", "0505Ghazali"),
        ("ibn taimiyah", "Ibn Taymiyya"),
        ("Ibn Hanbal", "Aḥmad b. Muḥammad b. Ḥanbal"),
        ("Algazel", "al-Ghazālī (Algazel)"),
    ],
)
def test_an_author_is_met_by_the_ways_people_shorten_the_name(query: str, name: str) -> None:
    assert asked(query, name)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("إحياء علوم الدين", "إحياء علوم الدين (ط. دار المعرفة 1402)"),
        ("ihya ulum al-din", "0505Ghazali.IhyaCulumDin"),
        ("Iḥyāʾ ʿulūm ad-dīn", "0505Ghazali.IhyaCulumDin.Shamela0009472-ara1"),
        ("IhyaCulumDin", "Iḥyāʾ ʿulūm al-dīn"),
        ("الموطأ", "كتاب الموطأ"),
        ("كتاب الموطأ", "الموطأ"),
        ("موطأ مالك", "موطأ الإمام مالك"),
        ("فتح الباري", "فتح الباري شرح صحيح البخاري"),
        ("صحيح البخاري", "الجامع المسند الصحيح المختصر = صحيح البخاري"),
        ("تفسير القرآن العظيم", "تفسير القرآن العظيم ط العلمية"),
        ("سنن أبو داود", "سنن أبي داود ت الأرنؤوط"),
        ("منهاج الطالبين", "منهاج الطالبين وعمدة المفتين في الفقه"),
        ("revival of the religious sciences", "The Revival of the Religious Sciences"),
    ],
)
def test_a_book_is_met_by_its_short_titles(query: str, title: str) -> None:
    assert asked(query, title, "book")


@pytest.mark.parametrize(("query", "name"), [("البخاري", GHAZALI), ("محمد", GHAZALI), ("Ghazi", "al-Ghazālī")])
def test_other_names_are_not_met(query: str, name: str) -> None:
    assert not asked(query, name)


def test_the_first_form_is_the_whole_name_without_its_death_note() -> None:
    assert name_forms([GHAZALI])[0] == "ابو حامد محمد بن محمد الغزالي الطوسي"


def test_a_book_is_not_met_by_a_family_name_in_its_title() -> None:
    assert not asked("البخاري", "فتح الباري شرح صحيح البخاري", "book")


@given(
    NAMES.map(" ".join) | st.text(st.characters(exclude_categories=()), max_size=60),
    st.sampled_from(["author", "book"]),
)
def test_forms_are_few_folded_and_different(name: str, kind: Kind) -> None:
    forms = name_forms([name], kind)
    assert len(forms) == len(set(forms)) <= MAX_FORMS
    assert all(form and form == fold(form) for form in forms)
    assert len(query_forms(name)) <= 4


def test_forms_of_several_names_are_given_once() -> None:
    forms = name_forms(["الغزالي", "الغزالي (ت 505)", "al-Ghazālī"])
    assert forms == ["الغزالي", "غزالي", "al ghazali", "ghazali"]


def test_a_name_is_read_in_its_parts() -> None:
    name = parse_person(fold("شمس الدين أبو عبد الله محمد بن أحمد بن عثمان ابن الذهبي الدمشقي").split())
    assert name.laqabs == ["شمس الدين"]
    assert name.kunyas == ["ابو عبد الله"]
    assert name.isms == ["محمد"]
    assert name.forefathers == ["بن احمد", "بن عثمان"]
    assert name.shuhras == ["ابن الذهبي"]
    assert name.surnames == ["الدمشقي"]


# -- scores ---------------------------------------------------------------------------------------------------------


def test_the_score_falls_as_the_match_gets_worse() -> None:
    queries = ["الغزالي", "غزالي", "الغزلي", "الفزلي", "البخاري"]
    scores = [match_score(query, "الغزالي") for query in queries]
    assert scores[0] == 1.0
    assert scores[-1] == 0.0
    assert scores == sorted(set(scores), reverse=True)


def test_a_part_of_the_name_scores_less_than_the_name() -> None:
    assert match_score("أبو حامد الغزالي", "أبو حامد الغزالي") == 1.0
    assert 0.7 < match_score("الغزالي", "ابو حامد الغزالي") < 0.9
    assert match_score("ابو حامد الغزالي الطوسي", "الغزالي") < match_score("الغزالي", "ابو حامد الغزالي الطوسي")


@given(st.text(max_size=30), st.text(max_size=30))
def test_scores_are_between_0_and_1(query: str, form: str) -> None:
    assert 0.0 <= match_score(query, form) <= 1.0


# -- transliteration ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spellings",
    [
        ["al-Ghazzālī", "Ghazali", "Ghazaly", "al-Ġazālī", "El Ghazali", "AlGhazali"],
        ["Ibn Taymiyya", "Ibn Taymiyyah", "ibn taimiyya", "Ibn Taymiyyaŧ", "bin Taymiya", "Ibn Taymiah"],
        ["Muḥammad", "Mohammed", "Mohamed", "Muhammed"],
        ["ʿAbd Allāh", "Abdullah", "Abdallah", "Abd-Allah"],
        ["ʿAbd al-Raḥmān", "Abdurrahman", "Abdul Rahman", "Abdel-Rahman", "Abd ar-Rahman"],
        ["ʿAbd al-ʿAzīz", "Abdulaziz", "Abdul Aziz"],
        ["Jalāl al-Dīn al-Suyūṭī", "Jalaluddin Suyuti", "Jalal-ud-Din as-Suyuti", "Ǧalāl al-Dīn al-Suyūṭī"],
        ["Abū al-Ḥasan", "Abul Hasan", "Abu'l-Hasan", "Abul-Hassan"],
        ["al-Dhahabī", "Zahabi", "al-Ḏahabī", "adh-Dhahabi"],
        ["ʿUthmān", "Osman", "Usman"],
        ["Ḥusayn", "Hussein", "Husain"],
        ["al-Bukhārī", "Bukhary", "El-Boukhari"],
    ],
)
def test_transliterations_of_one_name_share_a_key(spellings: list[str]) -> None:
    assert len({latin_key(spelling) for spelling in spellings}) == 1


def test_other_names_keep_another_key() -> None:
    names = ["Ghazali", "Ghazi", "Ibn Ḥajar", "Ibn Ḥazm", "al-Nawawī", "al-Bukhārī", "Muslim", "Abū Dāwūd", "Aḥmad"]
    assert len({latin_key(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("camel", "spelled"),
    [
        ("IhyaCulumDin", "Ihya ʿUlum Din"),
        ("AbiwardiShacir", "Abiwardi Shaʿir"),
        ("IbnCabdHakam", "Ibn ʿAbd Hakam"),
        ("ArbacunaNawawiyya", "Arbaʿuna Nawawiyya"),
        ("Muwatta", "Muwatta"),
        ("", ""),
    ],
)
def test_openiti_capitals_become_words(camel: str, spelled: str) -> None:
    assert split_openiti_camel(camel) == spelled


@pytest.mark.parametrize(
    ("uri", "names"),
    [
        ("0505Ghazali", ("Ghazali", "")),
        ("0505Ghazali.IhyaCulumDin", ("Ghazali", "IhyaCulumDin")),
        ("0505Ghazali.IhyaCulumDin.Shamela0009472-ara1.mARkdown", ("Ghazali", "IhyaCulumDin")),
        ("Ghazali", None),
        ("505 Ghazali", None),
    ],
)
def test_openiti_addresses(uri: str, names: tuple[str, str] | None) -> None:
    assert openiti_names(uri) == names


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Iḥyāʾ ʿUlūm al-Dīn", "ihya-ulum-al-din"),
        ("al-Ġazālī", "al-ghazali"),
        ("صحيح البخاري ٢", "shyh-albkhary-2"),
        ("«…»", ""),
        ("word " * 40, "-".join(["word"] * 16)),
        ("a" * 200, "a" * 80),
    ],
)
def test_slugs_are_short_and_ascii(name: str, slug: str) -> None:
    assert slugify_translit(name) == slug
